// Calculates when certificates are renewed. Pure; times are arguments.
import { createHash } from 'node:crypto';

export interface Lifetime {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/**
 * Renewals are spread over this share of the remaining time, so that renewals that are due on the same day do not all
 * run at the same time.
 */
export const SPREAD_SHARE = 0.1;
const FIRST_PAUSE_MS = 15 * MINUTE_MS;
const MAX_PAUSE_MS = DAY_MS;

/**
 * Returns the start of the renewal window. It is never in the first half of the validity period, because successors
 * would then also be renewed that early.
 */
export function windowStart({ notBefore, notAfter }: Lifetime, daysBefore: number | null): Date {
  const length = notAfter.getTime() - notBefore.getTime();
  const window = daysBefore === null ? length / 3 : Math.min(daysBefore * DAY_MS, length / 2);
  return new Date(notAfter.getTime() - window);
}

/** Returns the renewal time within the window; it is deterministic for each certificate. */
export function plannedAt(uuid: string, lifetime: Lifetime, daysBefore: number | null): Date {
  const start = windowStart(lifetime, daysBefore).getTime();
  const left = lifetime.notAfter.getTime() - start;
  return new Date(start + left * SPREAD_SHARE * spreadOf(uuid));
}

/** Returns a value from 0 to 1 that is deterministic for each certificate and evenly distributed. */
export const spreadOf = (uuid: string): number => createHash('sha256').update(uuid).digest().readUInt32BE() / 2 ** 32;

/** Returns when to retry a failed renewal. Delays increase, but there is at least one more attempt before expiry. */
export function nextAttemptAt(
  now: Date,
  { attempts, notAfter }: { readonly attempts: number; readonly notAfter: Date },
): Date {
  const left = notAfter.getTime() - now.getTime();
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS, Math.max(left / 2, MINUTE_MS));
  return new Date(now.getTime() + pause);
}
