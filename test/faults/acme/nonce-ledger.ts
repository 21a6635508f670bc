// Every nonce that was handed out to a test and what became of each request that used it: the measure of "accepted
// once, by whatever node, over any restart" (I8). Fresh ones are used in the order of their age, so that they outlive
// restarts.
import type { Violation } from '../check-database.ts';

/** A request as it was sent, to be sent again. */
export interface SignedRequest {
  readonly path: string;
  readonly body: string;
}

/** `lost`: nobody knows whether the request was judged. `unsent`: nobody listened. */
export type Fate = 'judged' | 'badNonce' | 'lost' | 'unsent';

export interface NonceUse extends SignedRequest {
  readonly nonce: string;
  /** Answers that accepted or refused what was asked for: the nonce was taken as good. */
  judged: number;
  /** Answers that refused the nonce. */
  refused: number;
  lost: number;
}

export class NonceLedger {
  /** Answers 5xx: the platform was there and failed. */
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

  /** The oldest of those that nobody has used. */
  take(): string | undefined {
    return this.fresh.shift();
  }

  use(nonce: string, request: SignedRequest): NonceUse {
    const use: NonceUse = { nonce, ...request, judged: 0, refused: 0, lost: 0 };
    this.uses.set(nonce, use);
    return use;
  }

  /** Nonces that were accepted twice, or refused although no answer could have used them up. */
  violations(): Violation[] {
    return this.all.flatMap(({ nonce, path, judged, refused, lost }): Violation[] => {
      if (judged > 1) return [{ invariant: 'I8', what: `nonce ${nonce} was accepted ${judged} times for ${path}` }];
      if (judged === 0 && refused > 0 && lost === 0)
        return [{ invariant: 'I8', what: `fresh nonce ${nonce} was refused for ${path}` }];
      return [];
    });
  }
}

export function record(use: NonceUse, fate: Fate): void {
  if (fate === 'judged') use.judged += 1;
  if (fate === 'badNonce') use.refused += 1;
  if (fate === 'lost') use.lost += 1;
}

/** The identifier under which a used nonce is kept. */
export function nonceUuid(nonce: string): string {
  const hex = Buffer.from(nonce, 'base64url').subarray(0, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
