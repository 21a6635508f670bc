// When a delivery is tried again, and when it is given up. Pure; times and chance are arguments.

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const MAX_PAUSE_MS = 4 * HOUR_MS;
/** Longer ones are not believed. */
const MAX_ASKED_PAUSE_MS = DAY_MS;

/** Why an attempt failed. */
export interface Failure {
  /** In words. */
  readonly problem: string;
  readonly isFinal: boolean;
  /** The receiver asks for a pause (RFC 9110 §10.2.3), in seconds. */
  readonly retryAfterS?: number | undefined;
}

export interface Tried {
  /** The one that failed is the last of them. */
  readonly attempts: number;
  /** From when on the time counts. */
  readonly queuedAt: Date;
}

/**
 * When it is tried again; null when it is given up: a receiver that was out of order for a day is tried once more after
 * it.
 * @param chance from 0 up to 1; so that what failed together is not tried together
 */
export function triedAgainAt(
  now: Date,
  { attempts, queuedAt }: Tried,
  { retryAfterS = 0, chance }: { readonly retryAfterS?: number | undefined; readonly chance: number },
): Date | null {
  if (now.getTime() - queuedAt.getTime() >= DAY_MS) return null;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS) * (0.8 + 0.4 * chance);
  const asked = Math.min(Math.max(retryAfterS, 0) * SECOND_MS, MAX_ASKED_PAUSE_MS);
  return new Date(now.getTime() + Math.max(Math.round(pause), asked));
}

const MAX_PROBLEM = 1_000;

/** Words for the record of a delivery: one line, bounded. */
export const asProblem = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_PROBLEM);
