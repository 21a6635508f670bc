// Writes the files of a new area and its lines in the lists shared by all areas.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resourceFlags } from '@signetry/contract';
import type { AreaNames } from './names.ts';
import { sharedLines } from './shared-lines.ts';

const TEMPLATE = new URL('./template/', import.meta.url);
const MIGRATIONS = 'packages/server/src/platform/database/migrations';

/** Returns the target path of each template file. */
function targetPathsOf(names: AreaNames, migration: string): Readonly<Record<string, string>> {
  const [files, file] = [names['things-file'], names['thing-file']];
  const area = `packages/server/src/areas/${files}`;
  const pages = `packages/console/src/areas/${files}`;
  return {
    'contract.ts': `packages/contract/src/platform/${files}.ts`,
    'migration.sql': `${MIGRATIONS}/${migration}.sql`,
    'index.ts': `${area}/index.ts`,
    'routes.ts': `${area}/routes.ts`,
    'service.ts': `${area}/service.ts`,
    'store.ts': `${area}/store.ts`,
    'tables.ts': `${area}/tables.ts`,
    'present.ts': `${area}/present.ts`,
    'area.db.test.ts': `${area}/${files}.db.test.ts`,
    'queries.ts': `packages/console/src/queries/${files}.ts`,
    'console-routes.ts': `${pages}/routes.ts`,
    'list-page.tsx': `${pages}/list-page.tsx`,
    'object-page.tsx': `${pages}/${file}-page.tsx`,
    'form.tsx': `${pages}/${file}-form.tsx`,
    'edit-page.tsx': `${pages}/edit-page.tsx`,
  };
}

/**
 * Writes below the root of a clone and returns the relative paths written or changed. Throws before writing if the area
 * already exists, or if a shared list no longer contains the line after which the new one is inserted.
 */
export function writeArea(root: string, names: AreaNames): string[] {
  const migration = `${nextNumber(root)}-${names['things-file']}`;
  const places = targetPathsOf(names, migration);
  const present = Object.values(places).find((path) => existsSync(join(root, path)));
  if (present !== undefined) throw new Error(`${present} already exists.`);
  const changed = sharedLines(names).map(
    ({ path, after, lines }) => [path, withLines(root, path, { after, lines })] as const,
  );
  for (const [file, path] of Object.entries(places)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = readFileSync(new URL(`${file}.txt`, TEMPLATE), 'utf8');
    writeFileSync(join(root, path), fillTemplate(text, { ...names, migration, ...objectNames(names) }));
  }
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  return [...Object.values(places), ...changed.map(([path]) => path)];
}

/** How to list object names, if permissions can be granted on single objects. */
const objectNames = ({ things }: AreaNames): Readonly<Record<'names' | 'namesImport', string>> =>
  resourceFlags(things).hasObjectAccess
    ? {
        names: `objectNames: { ${things}: ${things}.findNames },`,
        namesImport: `import { ${things} } from './store.ts';`,
      }
    : { names: '', namesImport: '' };

function nextNumber(root: string): string {
  const last = readdirSync(join(root, MIGRATIONS)).toSorted().at(-1) ?? '0000';
  return String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
}

const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\[\[([\w-]+)\]\]/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template uses ${name}, which is not defined.`);
    return value;
  });

/** Returns the file's text with the lines inserted after the existing ones. */
function withLines(
  root: string,
  path: string,
  { after, lines }: { readonly after: readonly string[]; readonly lines: readonly string[] },
): string {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [index, line] of after.entries()) {
    if (!text.includes(`${line}\n`))
      throw new Error(`${path} has no line "${line.trim()}" after which to insert the new area.`);
    text = text.replace(`${line}\n`, () => `${line}\n${lines[index] ?? ''}\n`);
  }
  return text;
}
