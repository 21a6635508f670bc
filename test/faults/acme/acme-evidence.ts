// Responses received by ACME clients, stored outside the platform.
import type { Violation } from '../check-database.ts';
import { Evidence } from '../evidence.ts';
import { NonceLedger } from './nonce-ledger.ts';

/** A finished order, as reported to a client. */
export interface EndedOrder {
  readonly worker: number;
  readonly path: string;
  readonly finalizePath: string;
  readonly csr: string;
  readonly status: 'valid' | 'invalid';
  /** For a valid order: the path of its certificate, and the SHA-256 of the downloaded chain. */
  readonly certificate?: { readonly path: string; readonly sha256: string };
}

export class AcmeEvidence {
  readonly certificates = new Evidence();
  readonly nonces = new NonceLedger();
  readonly ended: EndedOrder[] = [];
  /** Orders that the platform has reported, by worker. */
  readonly placed = new Map<number, Set<string>>();
  /** Responses to clients that violate an invariant. */
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
