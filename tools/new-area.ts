// `npm run new:area NAME`: a folder for a new area that compiles and has a test, in the shape of the others. The hints
// in it are to be replaced; the check for template text finds those that were forgotten.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areaTemplate } from './area-template.ts';
import { ROOT } from './source-files.ts';

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) {
  console.error(
    'Usage: npm run new:area NAME, where NAME is the kebab-case plural of what the area is about, e.g. key-stores.',
  );
  process.exit(2);
}
const folder = `packages/server/src/areas/${name}`;
if (existsSync(join(ROOT, folder))) {
  console.error(`${folder} exists already.`);
  process.exit(1);
}
mkdirSync(join(ROOT, folder), { recursive: true });
for (const [file, text] of areaTemplate(name)) {
  writeFileSync(join(ROOT, folder, file), text);
  console.log(`${folder}/${file}`);
}
console.log(`
Next:
  1. Give the area a tier in tools/fences.ts and a line in packages/server/src/app/areas.ts.
  2. Declare its operations in packages/contract/src/platform/${name}.ts and its tables in a new migration.
  3. Replace the hints, then: npm run generate && npm run check`);
