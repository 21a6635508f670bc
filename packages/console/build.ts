// Builds the console: `node packages/console/build.ts --out DIR`. The platform calls this when it starts and finds no build of
// the present sources.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (values.out === undefined) throw new Error('Usage: node packages/console/build.ts --out DIR');

await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
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
