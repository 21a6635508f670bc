// Finds the tests related to changed files: those that import them directly or indirectly.
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, type SourceFile } from '../source-files.ts';

/**
 * Imports are not followed through the files that assemble the whole product: otherwise every end-to-end test would be
 * related to every change. Instead, an end-to-end test is related to an area or protocol if its file is named after it.
 */
const WHOLES = ['packages/server/src/app/', 'packages/server/src/index.ts'];

/** Folder of an area, protocol or connector, or of an area's pages in the console. */
const SUBJECT = /^packages\/(?:server\/src\/(?:areas|protocols)|connectors|console\/src\/areas)\/([\w-]+)\//;

/** Returns uncommitted changes or, if there are none, those of the last commit, as paths relative to the root. */
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
    /** Returns the source file behind a package specifier; undefined for third-party packages. */
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

/** Maps each file to the files that import it. */
function importers(
  files: readonly SourceFile[],
  resolve: (specifier: string) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const edges = files.flatMap(({ path, imports }) =>
    imports
      // The compiler checks dependencies on types.
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
