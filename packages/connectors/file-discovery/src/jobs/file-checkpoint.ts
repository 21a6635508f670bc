// What is kept of a discovery in files while it runs, and of what it finds.
import type { Counts } from '@signetry/connector-sdk/discovery';
import { FAILURE_TEXTS, type FailureKind } from '../files/failure.ts';
import type { FileFormat } from '../files/read-certificates.ts';
import type { SearchPoint } from '../files/search.ts';

export interface FileCheckpoint {
  /** Behind which file it goes on; absent at the beginning. */
  readonly after?: SearchPoint | undefined;
  readonly files: number;
  /** What it took so far. */
  readonly elapsedMs: number;
}

/** Where and how a certificate was seen. */
export interface Sighting {
  readonly path: string;
  readonly format: FileFormat;
  readonly position: number;
  readonly alias?: string | undefined;
  readonly key?: 'open' | 'protected' | undefined;
  /** Permission bits of a file with a key, in octal. */
  readonly mode?: string | undefined;
}

/** The most frequent first. */
export function failuresIn(counts: Counts): [FailureKind, number][] {
  const failures = Object.entries(counts).filter(([outcome]) => Object.hasOwn(FAILURE_TEXTS, outcome));
  // Only names of failures are left.
  return (failures as [FailureKind, number][]).toSorted(([, one], [, other]) => other - one);
}
