// Builds the console: `node packages/console/build.ts --out DIR`. The platform runs this at startup if there is no
// build of the current sources.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { bareOperations, componentStyles } from './build-plugins.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (values.out === undefined) throw new Error('Usage: node packages/console/build.ts --out DIR');

// Builds are stored and shared, so every caller, including the tests, must produce an identical build. Without this
// setting, Vite would bundle React's development build.
process.env['NODE_ENV'] = 'production';

await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'warn',
  plugins: [bareOperations(), componentStyles(), react()],
  build: {
    outDir: values.out,
    emptyOutDir: true,
    assetsDir: 'console',
    // Scripts and styles are separate files: the page's content security policy forbids inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target: 'es2023',
  },
});
