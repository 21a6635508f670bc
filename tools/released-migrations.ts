// Released migrations must never change, because databases have applied them. `released.json` next to them contains
// their checksums. It is empty until the first release, and `npm run freeze:migrations` updates it at each release.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

const FOLDER = 'packages/server/src/platform/database/migrations';
const RELEASED = join(ROOT, FOLDER, 'released.json');

/** SHA-256 of each file in hex, by file name. */
export type Checksums = Readonly<Record<string, string>>;

function presentChecksums(): Checksums {
  const names = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.sql'));
  return Object.fromEntries(
    names.toSorted().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(ROOT, FOLDER, name)))
        .digest('hex'),
    ]),
  );
}

const releasedChecksums = (): Checksums => JSON.parse(readFileSync(RELEASED, 'utf8')) as Checksums; // Written below.

export const migrationProblems = (
  present: Checksums = presentChecksums(),
  released: Checksums = releasedChecksums(),
): string[] => [
  ...Object.entries(released).flatMap(([name, checksum]) => problemOf(name, { checksum, present: present[name] })),
  ...misplaced(Object.keys(present), Object.keys(released)),
];

function problemOf(name: string, facts: { readonly checksum: string; readonly present: string | undefined }): string[] {
  if (facts.present === facts.checksum) return [];
  const what = facts.present === undefined ? 'was removed or renamed' : 'was changed';
  return [`${FOLDER}/${name}: ${what} after its release; restore it, and add a migration with the next free number`];
}

/** Finds new migrations numbered below a released one: databases have applied all released ones first. */
function misplaced(present: readonly string[], released: readonly string[]): string[] {
  const last = released.toSorted().at(-1) ?? '';
  return present
    .filter((name) => !released.includes(name) && name < last)
    .map(
      (name) => `${FOLDER}/${name}: its number is lower than that of ${last}, which is released; use a higher number`,
    );
}

/** Adds the checksums of all current migrations. Fails if a released one has changed. */
export function freezeMigrations(): number {
  const problems = migrationProblems();
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const present = presentChecksums();
  writeFileSync(RELEASED, `${JSON.stringify(present, null, 2)}\n`);
  return Object.keys(present).length;
}
