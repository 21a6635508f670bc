// Deliberate faults, enabled by a setting, that let client developers test their error handling.
import { happens } from '../../kernel/chance.ts';
import type { Nonces } from './requests/nonces.ts';

export interface AcmeTestMode {
  /** Percentage of requests that are rejected with badNonce although their nonce is valid. */
  readonly badNoncePercent: number;
  /** Delay before the first attempt at a challenge. */
  readonly validationDelayMs: number;
}

/** Rejects some nonces at random. They are not consumed, so a retry with the same nonce may succeed. */
export const rejectRandomly = (nonces: Nonces, { badNoncePercent }: AcmeTestMode): Nonces => ({
  ...nonces,
  read(nonce) {
    const verdict = nonces.read(nonce);
    if ('problem' in verdict || !happens(badNoncePercent)) return verdict;
    return { problem: 'The nonce was rejected at random because this server runs in test mode.' };
  },
});
