// Ledger of every nonce issued to a test and the result of each request that used it. It measures the invariant
// "accepted once, by any node, across restarts" (I8). Unused nonces are used oldest first, so that they outlive
// restarts.
import type { Violation } from '../check-database.ts';

/** Request as it was sent, for replay. */
export interface SignedRequest {
  readonly path: string;
  readonly body: string;
}

/** `lost`: it is unknown whether the request was processed. `unsent`: no node was listening. */
export type NonceOutcome = 'judged' | 'badNonce' | 'lost' | 'unsent';

export interface NonceUse extends SignedRequest {
  readonly nonce: string;
  /** Number of responses that accepted or rejected the request itself, and so accepted the nonce. */
  judged: number;
  /** Number of responses that rejected the nonce. */
  refused: number;
  lost: number;
}

export class NonceLedger {
  /** 5xx responses: the platform was reachable but failed. */
  readonly troubles: string[] = [];
  private readonly fresh: string[] = [];
  private readonly uses = new Map<string, NonceUse>();

  get all(): readonly NonceUse[] {
    return [...this.uses.values()];
  }

  get useCount(): number {
    return this.uses.size;
  }

  get freshCount(): number {
    return this.fresh.length;
  }

  add(nonce: string): void {
    this.fresh.push(nonce);
  }

  /** Removes and returns the oldest unused nonce. */
  take(): string | undefined {
    return this.fresh.shift();
  }

  use(nonce: string, request: SignedRequest): NonceUse {
    const use: NonceUse = { nonce, ...request, judged: 0, refused: 0, lost: 0 };
    this.uses.set(nonce, use);
    return use;
  }

  /** Nonces that were accepted twice, or rejected although no response could have consumed them. */
  violations(): Violation[] {
    return this.all.flatMap(({ nonce, path, judged, refused, lost }): Violation[] => {
      if (judged > 1) return [{ invariant: 'I8', what: `nonce ${nonce} was accepted ${judged} times for ${path}` }];
      if (judged === 0 && refused > 0 && lost === 0)
        return [{ invariant: 'I8', what: `fresh nonce ${nonce} was rejected for ${path}` }];
      return [];
    });
  }
}

export function record(use: NonceUse, fate: NonceOutcome): void {
  if (fate === 'judged') use.judged += 1;
  if (fate === 'badNonce') use.refused += 1;
  if (fate === 'lost') use.lost += 1;
}

/** Returns the identifier under which a used nonce is stored. */
export function nonceUuid(nonce: string): string {
  const hex = Buffer.from(nonce, 'base64url').subarray(0, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
