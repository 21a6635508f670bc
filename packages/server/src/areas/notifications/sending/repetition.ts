// How often notifications of a lasting condition are repeated. Pure; times are arguments.
import type { PendingRow, VersionRow } from '../tables.ts';

const HOUR_MS = 3_600_000;

type Told = Pick<PendingRow, 'sent_count' | 'last_sent_at'>;
type Pace = Pick<VersionRow, 'frequency_hours' | 'repetitions'>;

/** Returns whether notifications that have been sent must be tracked. */
export const hasPace = ({ frequency_hours: hours, repetitions }: Pace): boolean =>
  hours !== null || repetitions !== null;

/** Returns whether a notification may be sent now. */
export function mayTell(told: Told | undefined, { frequency_hours: hours, repetitions }: Pace, now: Date): boolean {
  if (!told) return true;
  if (repetitions !== null && told.sent_count >= repetitions) return false;
  return hours === null || now.getTime() >= told.last_sent_at.getTime() + hours * HOUR_MS;
}

/** Returns when the notification is due to be repeated even without a new event; null if it is not repeated. */
export function toldAgainAt(told: Told, { frequency_hours: hours, repetitions }: Pace): Date | null {
  if (hours === null || (repetitions !== null && told.sent_count >= repetitions)) return null;
  return new Date(told.last_sent_at.getTime() + hours * HOUR_MS);
}

/**
 * Returns when to check next: at the next repetition, and at least hourly to find out whether the condition still
 * holds.
 */
export function lookedAtNext(told: Told, pace: Pace, now: Date): Date {
  const inAnHour = new Date(now.getTime() + HOUR_MS);
  const again = toldAgainAt(told, pace);
  return again !== null && again < inAnHour && again > now ? again : inAnHour;
}
