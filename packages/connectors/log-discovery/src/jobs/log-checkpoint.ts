// Stored state of a running log discovery and of its results.
import type { TreeHead } from '../log/trusted-tree.ts';

export interface LogCheckpoint {
  /** The tree that is read, fixed even if the log grows in the meantime; undefined until it is fetched. */
  readonly log?: TreeHead & { readonly origin: string; readonly signedAtMs?: number | undefined };
  /** First entry to read. */
  readonly from: number;
  /** First entry that has not been read yet. */
  readonly next: number;
  /** Last entry of the reported precertificates, once all entries have been read. */
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
