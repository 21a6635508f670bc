// Searches directories for certificates, multiple files in parallel, in a stable order.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { failureOf, FileFailure } from './failure.ts';
import { createNameFilter } from './name-patterns.ts';
import { readFileInside } from './open-file.ts';
import { readCertificates, type FileContents } from './read-certificates.ts';
import { walk, type FoundFile } from './walk.ts';

export interface SearchFacts {
  /** Absolute paths. */
  readonly directories: readonly string[];
  readonly patterns: readonly string[];
  readonly passwords: readonly string[];
  readonly maxDepth: number;
  readonly maxFileOctets: number;
}

/** Position after a file in one of the directories. */
export interface SearchPoint {
  readonly directory: number;
  readonly names: readonly string[];
}

export interface SearchedFile {
  /** Path as users see it: for a link, the link's own path. */
  readonly path: string;
  readonly point: SearchPoint;
  readonly contents: FileContents | undefined;
  readonly mode: number | undefined;
  readonly failure: FileFailure | undefined;
}

export interface SearchRun {
  readonly after?: SearchPoint | undefined;
  readonly signal: AbortSignal;
  /** Called and awaited before a file is read; files are numbered from 0. */
  readonly room?: (number: number) => Promise<void> | undefined;
  /** Returns false to end the search; no further file is then started. */
  readonly mayGoOn: (number: number) => boolean;
  /** Called in the order in which files are read, which can vary. */
  readonly onFile: (number: number, file: SearchedFile) => void;
}

const PARALLEL = 8;
/** Maximum time to spend starting files in one turn of the event loop. */
const TURN_MS = 5;

/** Returns whether everything was searched. Throws errors of `room` and `onFile`, and the signal's reason. */
export async function search(facts: SearchFacts, run: SearchRun): Promise<boolean> {
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const running = new Set<Promise<void>>();
  const read = async (number: number, directory: number, place: LocatedFile): Promise<void> => {
    try {
      run.onFile(number, await fileOf(facts, directory, place));
    } catch (error) {
      failed.abort(error);
    }
  };
  let [number, began] = [0, performance.now()];
  try {
    for await (const { directory, place } of filesToSearch(facts, run.after, signal)) {
      if (!run.mayGoOn(number)) return false;
      await run.room?.(number);
      if (running.size >= PARALLEL) await Promise.race(running);
      signal.throwIfAborted();
      if (performance.now() - began > TURN_MS) {
        await setImmediate();
        began = performance.now();
      }
      const work = read(number++, directory, place).finally(() => running.delete(work));
      running.add(work);
    }
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    await Promise.all(running);
  }
  signal.throwIfAborted();
  return true;
}

interface LocatedFile extends FoundFile {
  /** Directory path with symbolic links resolved. */
  readonly root: string;
}

async function* filesToSearch(
  { directories, patterns, maxDepth }: SearchFacts,
  after: SearchPoint | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ readonly directory: number; readonly place: LocatedFile }> {
  const isWanted = createNameFilter(patterns);
  for (const [directory, path] of directories.entries()) {
    if (after && directory < after.directory) continue;
    const behind = after?.directory === directory ? after.names : undefined;
    const root = await realpath(path).catch((error: unknown) => failureOf(error) ?? Promise.reject(error));
    if (root instanceof FileFailure) {
      if (!behind) yield { directory, place: { root: path, names: [], file: undefined, failure: root } };
      continue;
    }
    for await (const place of walk(root, { isWanted, maxDepth, after: behind, signal }))
      yield { directory, place: { ...place, root } };
  }
}

async function fileOf(
  facts: SearchFacts,
  directory: number,
  { root, names, file, failure }: LocatedFile,
): Promise<SearchedFile> {
  const searched = { path: join(facts.directories[directory] ?? '', ...names), point: { directory, names } };
  const withoutContents = (why: FileFailure | undefined): SearchedFile => ({
    ...searched,
    contents: undefined,
    mode: undefined,
    failure: why,
  });
  if (file === undefined || failure) return withoutContents(failure);
  try {
    const { octets, mode } = await readFileInside(root, file, facts.maxFileOctets);
    try {
      return { ...searched, mode, failure: undefined, contents: await readCertificates(octets, facts.passwords) };
    } finally {
      octets.fill(0); // The bytes may contain a private key.
    }
  } catch (error) {
    const why = failureOf(error);
    if (why) return withoutContents(why);
    throw error;
  }
}
