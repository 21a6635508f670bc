// `npm run generate [TEXT]`: writes the generated files (only those whose path contains TEXT).
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateFiles } from './generated-files.ts';
import { ROOT } from './source-files.ts';

for (const [path, content] of await generateFiles(process.argv[2])) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(path);
}
