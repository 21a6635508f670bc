// `npm run new:area THINGS`: scaffolds a complete area in the usual structure, from the contract to the console, with
// its lines in the shared lists. It compiles, responds to requests, and has tests and pages. The developer replaces
// `__area__` and `__noun__` with the actual text, and a check finds any that were forgotten.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { areaNames, type AreaNames } from './new-area/names.ts';
import { writeArea } from './new-area/write-area.ts';

const USAGE = `Usage: npm run new:area THINGS [-- --one=THING]
  THINGS  API resource, named as in permissions, e.g. tokenProfiles
  --one   singular, if it is not THINGS without its s, e.g. --one=discovery`;

function names(): AreaNames {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { one: { type: 'string' } } });
    return areaNames(positionals[0] ?? '', values.one);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

try {
  for (const path of writeArea(fileURLToPath(new URL('..', import.meta.url)), names())) console.log(path);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
console.log(`
Next:
  1. Add fields to the contract, the migration and the rows; compare them with the published API.
  2. Replace __area__ and __noun__ with the description of the area.
  3. npm run format && npm run generate && npm run check, then add a line to CHANGELOG.md.`);
