// `npm run new:area THINGS`: a whole area as the others are, from contract to console, with its lines in the shared
// lists. It compiles, answers, is tested and has pages; what it is about is written where it says `__area__` or
// `__noun__`, and a check finds those that were forgotten.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { areaNames, type AreaNames } from './new-area/names.ts';
import { writeArea } from './new-area/write-area.ts';

const USAGE = `Usage: npm run new:area THINGS [-- --one=THING]
  THINGS  resource of the interface, as permissions name it, e.g. tokenProfiles
  --one   one of them, where it is not THINGS without its s, e.g. --one=discovery`;

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
  1. Give the shapes their members, in the contract, the migration and the rows; compare with the published interface.
  2. Write what it is about where it says __area__ and __noun__.
  3. npm run format && npm run generate && npm run check, and a line in CHANGELOG.md.`);
