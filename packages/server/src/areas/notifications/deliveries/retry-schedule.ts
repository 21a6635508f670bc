// When a delivery is retried, and when it fails permanently. Pure; times and randomness are arguments.

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const MAX_PAUSE_MS = 4 * HOUR_MS;
/** Longer Retry-After values are capped. */
const MAX_ASKED_PAUSE_MS = DAY_MS;

/** Reason for a failed attempt. */
export interface Failure {
  /** Message for administrators. */
  readonly problem: string;
  readonly isFinal: boolean;
  /** Delay requested by the receiver, in seconds (RFC 9110 §10.2.3). */
  readonly retryAfterS?: number | undefined;
}

export interface AttemptFacts {
  /** Number of attempts so far, including the one that failed. */
  readonly attempts: number;
  /** Start of the retry period. */
  readonly queuedAt: Date;
}

/**
 * Returns when to retry; null if the delivery has failed permanently. After an outage that lasted a day, there is one
 * more attempt.
 * @param chance from 0 up to 1; spreads out the retries of deliveries that failed together
 */
export function nextAttemptAt(
  now: Date,
  { attempts, queuedAt }: AttemptFacts,
  { retryAfterS = 0, chance }: { readonly retryAfterS?: number | undefined; readonly chance: number },
): Date | null {
  if (now.getTime() - queuedAt.getTime() >= DAY_MS) return null;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS) * (0.8 + 0.4 * chance);
  const asked = Math.min(Math.max(retryAfterS, 0) * SECOND_MS, MAX_ASKED_PAUSE_MS);
  return new Date(now.getTime() + Math.max(Math.round(pause), asked));
}

const MAX_PROBLEM = 1_000;

/** Formats a delivery problem as a single line of limited length. */
export const formatProblem = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_PROBLEM);
