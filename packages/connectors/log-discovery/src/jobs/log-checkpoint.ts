// What is kept of a discovery in a log while it runs, and of what it finds.
import type { TreeHead } from '../log/trusted-tree.ts';

export interface LogCheckpoint {
  /** The tree that is read, however the log grows meanwhile; absent until it was fetched. */
  readonly log?: TreeHead & { readonly origin: string; readonly signedAtMs?: number | undefined };
  /** The first entry that is read. */
  readonly from: number;
  /** The first entry that was not read yet. */
  readonly next: number;
  /** The last entry of the precertificates that were told, when all entries were read. */
  readonly told: number;
}

/** Where and how a certificate was seen. */
export interface Sighting {
  readonly log: string;
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  readonly kind: 'certificate' | 'precertificate' | 'issuer';
}
