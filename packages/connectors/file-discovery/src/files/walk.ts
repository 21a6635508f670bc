// Every file below a directory in a stable order, so that a search can resume after any of them. Symbolic links to
// files are followed if the target is inside the directory. Links to directories are not followed: a target inside is
// visited at its own path. So there are no loops, and nothing outside is read.
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { failureOf, FileFailure } from './failure.ts';

export interface WalkOptions {
  readonly isWanted: (name: string) => boolean;
  /** Number of directory levels to search below the start directory; 0 for none. */
  readonly maxDepth: number;
  /** Names from the directory down to the file after which the search resumes. */
  readonly after?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export interface FoundFile {
  /** Directory and file names, from the start directory down. */
  readonly names: readonly string[];
  /** Path to open: for a link, its target. Undefined if it cannot be opened. */
  readonly file: string | undefined;
  readonly failure: FileFailure | undefined;
}

/** `root` is an absolute path without symbolic links. Throws the error of a failing disk. */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<FoundFile> {
  yield* walkDirectory({ root, options }, [], options.after);
}

interface Walk {
  readonly root: string;
  readonly options: WalkOptions;
}

async function* walkDirectory(
  walk: Walk,
  names: readonly string[],
  after: readonly string[] | undefined,
): AsyncGenerator<FoundFile> {
  const { root, options } = walk;
  // The search resumes after this directory, which was reported as unreadable.
  if (after?.length === 0) return;
  options.signal.throwIfAborted();
  const entries = await attempt(() => readdir(join(root, ...names), { withFileTypes: true }));
  if (entries instanceof FileFailure) return yield { names, file: undefined, failure: entries };
  const [first] = after ?? [];
  // Names are compared by UTF-16 code units, so the order is the same in every locale.
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of sorted) {
    if (first !== undefined && entry.name < first) continue;
    const own = [...names, entry.name];
    const isFirst = entry.name === first;
    if (entry.isDirectory()) {
      const rest = isFirst ? after?.slice(1) : undefined;
      if (own.length <= options.maxDepth) yield* walkDirectory(walk, own, rest);
      else if (!isFirst) yield failed(own, 'tooDeep');
    } else if (!isFirst) {
      const place = await resolveEntry(walk, entry, own);
      if (place) yield place;
    }
  }
}

const failed = (names: readonly string[], kind: FileFailure['kind']): FoundFile => ({
  names,
  file: undefined,
  failure: new FileFailure(kind),
});

async function resolveEntry(
  { root, options }: Walk,
  entry: Dirent,
  names: readonly string[],
): Promise<FoundFile | undefined> {
  const path = join(root, ...names);
  if (entry.isSymbolicLink()) return resolveLink(root, { path, names, isWanted: options.isWanted(entry.name) });
  if (!options.isWanted(entry.name)) return undefined;
  return entry.isFile() ? { names, file: path, failure: undefined } : failed(names, 'special');
}

async function resolveLink(
  root: string,
  { path, names, isWanted }: { readonly path: string; readonly names: readonly string[]; readonly isWanted: boolean },
): Promise<FoundFile | undefined> {
  const target = await attempt(() => realpath(path));
  if (target instanceof FileFailure) return isWanted ? { names, file: undefined, failure: target } : undefined;
  if (!isInside(root, target)) return failed(names, 'outside');
  if (!isWanted) return undefined;
  const found = await attempt(() => stat(target));
  if (found instanceof FileFailure) return { names, file: undefined, failure: found };
  return found.isFile() ? { names, file: target, failure: undefined } : undefined;
}

export function isInside(root: string, path: string): boolean {
  const inside = relative(root, path);
  return !isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${sep}`);
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | FileFailure> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return failure;
    throw error;
  }
}
