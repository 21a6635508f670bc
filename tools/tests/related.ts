// Which tests have to do with files that changed: those that import them, directly or not.
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, type SourceFile } from '../source-files.ts';

/**
 * Imports are not followed through what puts the whole product together: every end-to-end test would be related to
 * every change. Instead, tests of the whole are related to an area or a protocol when their file is named after it.
 */
const WHOLES = ['packages/server/src/app/', 'packages/server/src/index.ts'];

/** The folder of an area, a protocol or a connector, or pages of one in the console. */
const SUBJECT = /^packages\/(?:server\/src\/(?:areas|protocols)|connectors|console\/src\/areas)\/([\w-]+)\//;

/** What is not committed yet; after a commit, what the last one changed. Paths below the root. */
export function changedFiles(): string[] {
  const lines = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  const uncommitted = [
    ...lines('diff', '--name-only', '--relative', 'HEAD'),
    ...lines('ls-files', '--others', '--exclude-standard'),
  ];
  return uncommitted.length > 0 ? uncommitted : lines('diff', '--name-only', '--relative', 'HEAD~1', 'HEAD');
}

export function relatedTests(
  changed: readonly string[],
  {
    files,
    tests,
    resolve = resolvePackage,
  }: {
    readonly files: readonly SourceFile[];
    readonly tests: readonly string[];
    /** The source file behind the specifier of a package; undefined for packages of others. */
    readonly resolve?: (specifier: string) => string | undefined;
  },
): string[] {
  const reached = importersOf(changed, importers(files, resolve));
  const subjects = changed.flatMap((path) => SUBJECT.exec(path)?.[1]?.replace(/(?:-profile)?s?$/, '') ?? []);
  return tests.filter((path) => reached.has(path) || isNamedAfter(path, subjects));
}

const isNamedAfter = (path: string, subjects: readonly string[]): boolean => {
  const [, name = ''] = /^test\/(?:e2e|console)\/([\w-]+)\./.exec(path) ?? [];
  return subjects.some((subject) => `-${name}-`.includes(`-${subject}`));
};

/** For each file those that import it. */
function importers(
  files: readonly SourceFile[],
  resolve: (specifier: string) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const edges = files.flatMap(({ path, imports }) =>
    imports
      // What only types depend on is found by the compiler.
      .filter(({ typeOnly }) => !typeOnly)
      .map(({ specifier, target }) => ({ path, imported: target ?? resolve(specifier) })),
  );
  const groups = Map.groupBy(edges, ({ imported }) => imported ?? '');
  return new Map([...groups].map(([imported, found]) => [imported, found.map(({ path }) => path)]));
}

function importersOf(
  changed: readonly string[],
  importing: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set(changed);
  for (const path of reached) {
    const isWhole = WHOLES.some((whole) => path.startsWith(whole));
    if (!isWhole || changed.includes(path)) for (const importer of importing.get(path) ?? []) reached.add(importer);
  }
  return reached;
}

function resolvePackage(specifier: string): string | undefined {
  if (!specifier.startsWith('@signetry/')) return undefined;
  return relative(ROOT, fileURLToPath(import.meta.resolve(specifier)));
}
