// Limits how fast a client address can guess device secrets. Failures are counted per address and per combination of
// address and profile, but never per profile alone, which would let anyone lock out the profile's devices. Once a limit
// is exceeded, responses to failures are sent one at a time, so that opening more connections does not allow more
// guesses. Valid credentials are accepted immediately, unless a very large number of failures from their address are
// pending.
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError, isAppError, retryAfterOf } from '../../kernel/errors.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import type { RateLimit, RateLimits } from '../../platform/limits/rate-limits.ts';
import { createTurns } from '../../platform/threads/turns.ts';

export interface CheckedCredential {
  /** The client address that sent the request. */
  readonly address: string | null | undefined;
  readonly profileUuid: string;
  /** Returns whether an error thrown by the check means that the credential is wrong. */
  readonly isWrong: (error: unknown) => boolean;
}

/**
 * Runs the check and rethrows its errors; throws `too_many_requests` for a wrong credential once a limit is exceeded.
 */
export type CheckCredential = <Result>(credential: CheckedCredential, check: () => Promise<Result>) => Promise<Result>;

export interface CredentialCheckParts {
  readonly limits: Pick<RateLimits, 'failedEnrollments' | 'failedEnrollmentsOfProfile'>;
  /** Delay between responses to failures from the same address once a limit is exceeded. */
  readonly pauseMs?: number;
  /**
   * Maximum number of pending responses per address; beyond this number, credentials are rejected without being
   * checked.
   */
  readonly maxWaiting?: number;
}

/** Allows 20 guesses per second; even a fleet of 1,000 devices with an outdated secret needs no more. */
const PAUSE_MS = 50;
const MAX_WAITING = 1_000;
/** Limit on subjects cached on this node, so that valid credentials need no counter lookup. */
const MAX_SUBJECTS = 10_000;

export function createCredentialChecks({
  limits,
  pauseMs = PAUSE_MS,
  maxWaiting = MAX_WAITING,
}: CredentialCheckParts): CheckCredential {
  const beyond = new LRUCache<string, true>({ max: MAX_SUBJECTS });
  const tooMany = () =>
    new AppError('too_many_requests', { what: 'failed authentication attempts from your address', retryAfterS: 60 });
  const answers = createTurns({
    atOnce: Infinity,
    maxWaiting: Infinity,
    maxWaitingOfSource: maxWaiting,
    refusal: tooMany,
  });

  async function count(limit: RateLimit, subject: string): Promise<unknown> {
    try {
      await limit.take(subject);
      return undefined;
    } catch (error) {
      if (!isAppError(error, 'too_many_requests')) throw error;
      beyond.set(subject, true, { ttl: 1000 * Number(retryAfterOf(error) ?? 1) });
      return error;
    }
  }

  return async ({ address, profileUuid, isWrong }, check) => {
    const source = networkOf(address ?? '');
    const pair = `${profileUuid} ${source}`;
    if ((beyond.has(source) || beyond.has(pair)) && !answers.hasRoom(source)) throw tooMany();
    try {
      return await check();
    } catch (error) {
      if (!isWrong(error)) throw error;
      const ofPair = await count(limits.failedEnrollmentsOfProfile, pair);
      const ofAddress = await count(limits.failedEnrollments, source);
      const refusal = ofPair ?? ofAddress;
      if (refusal === undefined) throw error;
      await answers.run(source, () => setTimeout(pauseMs));
      throw refusal;
    }
  };
}
