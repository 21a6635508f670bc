// Stored state of a running file discovery and of its results.
import type { Counts } from '@signetry/connector-sdk/discovery';
import { FAILURE_TEXTS, type FailureKind } from '../files/failure.ts';
import type { FileFormat } from '../files/read-certificates.ts';
import type { SearchPoint } from '../files/search.ts';

export interface FileCheckpoint {
  /** File after which to resume; undefined at the beginning. */
  readonly after?: SearchPoint | undefined;
  readonly files: number;
  /** Time used so far. */
  readonly elapsedMs: number;
}

/** Where and how a certificate was found. */
export interface Sighting {
  readonly path: string;
  readonly format: FileFormat;
  readonly position: number;
  readonly alias?: string | undefined;
  readonly key?: 'open' | 'protected' | undefined;
  /** Permission bits of a file with a key, in octal. */
  readonly mode?: string | undefined;
}

/** Returns the failures, most frequent first. */
export function failuresIn(counts: Counts): [FailureKind, number][] {
  const failures = Object.entries(counts).filter(([outcome]) => Object.hasOwn(FAILURE_TEXTS, outcome));
  // The filter leaves only failure names.
  return (failures as [FailureKind, number][]).toSorted(([, one], [, other]) => other - one);
}
