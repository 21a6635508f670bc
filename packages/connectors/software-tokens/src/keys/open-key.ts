// A key in memory, ready for use.
import type { KeyObject } from 'node:crypto';
import type { KeyRow } from './key-store.ts';

/** Its native memory is released with it. */
export interface OpenKey {
  readonly type: KeyRow['type'];
  readonly family: string;
  /** The specification, e.g. `P-256`. */
  readonly name: string;
  readonly bits: number;
  readonly key: KeyObject;
}
