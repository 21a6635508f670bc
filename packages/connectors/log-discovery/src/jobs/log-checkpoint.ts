// The stored state and results of a running log discovery.
import type { TreeHead } from '../log/trusted-tree.ts';

export interface LogCheckpoint {
  /** The tree to read. It does not change even if the log grows during the discovery. Undefined until it is fetched. */
  readonly log?: TreeHead & { readonly origin: string; readonly signedAtMs?: number | undefined };
  /** First entry to read. */
  readonly from: number;
  /** First entry that has not been read yet. */
  readonly next: number;
  /** Index of the last entry whose precertificate was reported. Used once all entries have been read. */
  readonly told: number;
}

/** Where and how a certificate was found. */
export interface Sighting {
  readonly log: string;
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  readonly kind: 'certificate' | 'precertificate' | 'issuer';
}
