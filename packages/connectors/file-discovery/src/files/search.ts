// Searches directories for certificates, several files at the same time, in an order that stays the same.
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

/** Behind which file, of which of the directories. */
export interface SearchPoint {
  readonly directory: number;
  readonly names: readonly string[];
}

export interface SearchedFile {
  /** As people name it: behind a link, the name of the link. */
  readonly path: string;
  readonly point: SearchPoint;
  readonly contents: FileContents | undefined;
  readonly mode: number | undefined;
  readonly failure: FileFailure | undefined;
}

export interface SearchRun {
  readonly after?: SearchPoint | undefined;
  readonly signal: AbortSignal;
  /** Is waited for before a file is read; files are numbered from 0. */
  readonly room?: (number: number) => Promise<void> | undefined;
  /** False ends the search: no further file is begun. */
  readonly mayGoOn: (number: number) => boolean;
  /** In whatever order files are read. */
  readonly onFile: (number: number, file: SearchedFile) => void;
}

const PARALLEL = 8;
/** Longest time for which files are begun in one turn of the event loop. */
const TURN_MS = 5;

/** Returns whether it has seen everything. Throws what `room` and `onFile` throw, and the reason of the signal. */
export async function search(facts: SearchFacts, run: SearchRun): Promise<boolean> {
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const running = new Set<Promise<void>>();
  const read = async (number: number, directory: number, place: Found): Promise<void> => {
    try {
      run.onFile(number, await fileOf(facts, directory, place));
    } catch (error) {
      failed.abort(error);
    }
  };
  let [number, began] = [0, performance.now()];
  try {
    for await (const { directory, place } of placesOf(facts, run.after, signal)) {
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

interface Found extends FoundFile {
  /** The directory without symbolic links. */
  readonly root: string;
}

async function* placesOf(
  { directories, patterns, maxDepth }: SearchFacts,
  after: SearchPoint | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ readonly directory: number; readonly place: Found }> {
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
  { root, names, file, failure }: Found,
): Promise<SearchedFile> {
  const searched = { path: join(facts.directories[directory] ?? '', ...names), point: { directory, names } };
  const without = (why: FileFailure | undefined): SearchedFile => ({
    ...searched,
    contents: undefined,
    mode: undefined,
    failure: why,
  });
  if (file === undefined || failure) return without(failure);
  try {
    const { octets, mode } = await readFileInside(root, file, facts.maxFileOctets);
    try {
      return { ...searched, mode, failure: undefined, contents: await readCertificates(octets, facts.passwords) };
    } finally {
      octets.fill(0); // it may hold a key
    }
  } catch (error) {
    const why = failureOf(error);
    if (why) return without(why);
    throw error;
  }
}
