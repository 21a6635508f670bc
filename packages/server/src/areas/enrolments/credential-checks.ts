// Bounds how fast one address can guess the secrets of devices. Wrong credentials are counted by address, and by
// address and profile; never by profile alone, since anybody could then lock out its devices. Beyond a limit, the
// answers to wrong ones leave one after the other, so that more connections make no more guesses. A valid credential is
// answered at once, unless very many wrong ones of its address wait.
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError, isAppError, retryAfterOf } from '../../kernel/errors.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import type { RateLimit, RateLimits } from '../../platform/limits/rate-limits.ts';
import { createTurns } from '../../platform/threads/turns.ts';

export interface CheckedCredential {
  /** Where the request comes from. */
  readonly address: string | null | undefined;
  readonly profileUuid: string;
  /** Whether what the check throws says that the credential is wrong. */
  readonly isWrong: (error: unknown) => boolean;
}

/** Runs the check. Throws what it throws, or `too_many_requests` for a wrong credential beyond a limit. */
export type CheckCredential = <Result>(credential: CheckedCredential, check: () => Promise<Result>) => Promise<Result>;

export interface CredentialCheckParts {
  readonly limits: Pick<RateLimits, 'failedEnrolments' | 'failedEnrolmentsOfProfile'>;
  /** Between two answers to wrong credentials of one address beyond a limit. */
  readonly pauseMs?: number;
  /** Answers of one address that may wait; beyond them its credentials are refused unchecked. */
  readonly maxWaiting?: number;
}

/** Twenty guesses a second; a fleet of a thousand devices with an old secret needs no more. */
const PAUSE_MS = 50;
const MAX_WAITING = 1_000;
/** What this node remembers, so that a valid credential costs no look at the counters. */
const MAX_SUBJECTS = 10_000;

export function createCredentialChecks({
  limits,
  pauseMs = PAUSE_MS,
  maxWaiting = MAX_WAITING,
}: CredentialCheckParts): CheckCredential {
  const beyond = new LRUCache<string, true>({ max: MAX_SUBJECTS });
  const tooMany = () =>
    new AppError('too_many_requests', { what: 'failed secrets from your address', retryAfterS: 60 });
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
      const ofPair = await count(limits.failedEnrolmentsOfProfile, pair);
      const ofAddress = await count(limits.failedEnrolments, source);
      const refusal = ofPair ?? ofAddress;
      if (refusal === undefined) throw error;
      await answers.run(source, () => setTimeout(pauseMs));
      throw refusal;
    }
  };
}
