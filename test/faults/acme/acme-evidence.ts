// What clients of ACME were told, kept outside of the platform.
import type { Violation } from '../check-database.ts';
import { Evidence } from '../evidence.ts';
import { NonceLedger } from './nonce-ledger.ts';

/** An order that a client was told of, with its end. */
export interface EndedOrder {
  readonly worker: number;
  readonly path: string;
  readonly finalizePath: string;
  readonly csr: string;
  readonly status: 'valid' | 'invalid';
  /** Of a valid one: where its certificate is, and the SHA-256 of the chain as it was downloaded. */
  readonly certificate?: { readonly path: string; readonly sha256: string };
}

export class AcmeEvidence {
  readonly certificates = new Evidence();
  readonly nonces = new NonceLedger();
  readonly ended: EndedOrder[] = [];
  /** Orders of each worker that the platform has told of. */
  readonly placed = new Map<number, Set<string>>();
  /** What clients saw that must not be. */
  readonly contradictions: Violation[] = [];

  placedBy(worker: number): Set<string> {
    const known = this.placed.get(worker) ?? new Set();
    this.placed.set(worker, known);
    return known;
  }

  contradict(invariant: Violation['invariant'], what: string): void {
    this.contradictions.push({ invariant, what });
  }
}
