// Builds the console: `node packages/console/build.ts --out DIR`. The platform calls this when it starts and finds no
// build of the present sources.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { bareOperations, stylesOfComponents } from './build-plugins.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (values.out === undefined) throw new Error('Usage: node packages/console/build.ts --out DIR');

// Builds are kept and shared: whoever starts one, a test too, makes the same. Vite would make a view library for
// debugging otherwise.
process.env['NODE_ENV'] = 'production';

await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'warn',
  plugins: [bareOperations(), stylesOfComponents(), react()],
  build: {
    outDir: values.out,
    emptyOutDir: true,
    assetsDir: 'console',
    // Scripts and styles are files of their own: the content policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target: 'es2023',
  },
});
