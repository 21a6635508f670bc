// How often notifications of a lasting condition are repeated. Pure; times are arguments.
import type { PendingRow, VersionRow } from '../tables.ts';

const HOUR_MS = 3_600_000;

type SendHistory = Pick<PendingRow, 'sent_count' | 'last_sent_at'>;
type Frequency = Pick<VersionRow, 'frequency_hours' | 'repetitions'>;

/** Returns whether notifications that have been sent must be tracked. */
export const hasFrequency = ({ frequency_hours: hours, repetitions }: Frequency): boolean =>
  hours !== null || repetitions !== null;

/** Returns whether a notification may be sent now. */
export function maySend(
  told: SendHistory | undefined,
  { frequency_hours: hours, repetitions }: Frequency,
  now: Date,
): boolean {
  if (!told) return true;
  if (repetitions !== null && told.sent_count >= repetitions) return false;
  return hours === null || now.getTime() >= told.last_sent_at.getTime() + hours * HOUR_MS;
}

/** Returns when the notification is due to be repeated even without a new event; null if it is not repeated. */
export function nextSendAt(told: SendHistory, { frequency_hours: hours, repetitions }: Frequency): Date | null {
  if (hours === null || (repetitions !== null && told.sent_count >= repetitions)) return null;
  return new Date(told.last_sent_at.getTime() + hours * HOUR_MS);
}

/**
 * Returns when to check next: at the next repetition, and at least hourly to find out whether the condition still
 * holds.
 */
export function nextCheckAt(told: SendHistory, pace: Frequency, now: Date): Date {
  const inAnHour = new Date(now.getTime() + HOUR_MS);
  const again = nextSendAt(told, pace);
  return again !== null && again < inAnHour && again > now ? again : inAnHour;
}
