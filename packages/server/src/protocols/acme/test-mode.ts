// What the server does badly on purpose, by a setting, so that authors of clients see whether theirs bear it.
import { happens } from '../../kernel/chance.ts';
import type { Nonces } from './requests/nonces.ts';

export interface AcmeTestMode {
  /** Share of requests that are refused with badNonce although their nonce is good. */
  readonly badNoncePercent: number;
  /** Before the first attempt at a challenge. */
  readonly validationDelayMs: number;
}

/** Nonces of which some are refused. They are not used up: whoever sends one again may have better luck. */
export const refusingSome = (nonces: Nonces, { badNoncePercent }: AcmeTestMode): Nonces => ({
  ...nonces,
  read(nonce) {
    const verdict = nonces.read(nonce);
    if ('problem' in verdict || !happens(badNoncePercent)) return verdict;
    return { problem: 'The nonce was refused at random, as the test mode of this server says.' };
  },
});
