// How often a lasting condition is told of. Pure; times are arguments.
import type { PendingRow, VersionRow } from '../tables.ts';

const HOUR_MS = 3_600_000;

type Told = Pick<PendingRow, 'sent_count' | 'last_sent_at'>;
type Pace = Pick<VersionRow, 'frequency_hours' | 'repetitions'>;

/** Is anything to be remembered of what was told? */
export const hasPace = ({ frequency_hours: hours, repetitions }: Pace): boolean =>
  hours !== null || repetitions !== null;

/** May it be told of now? */
export function mayTell(told: Told | undefined, { frequency_hours: hours, repetitions }: Pace, now: Date): boolean {
  if (!told) return true;
  if (repetitions !== null && told.sent_count >= repetitions) return false;
  return hours === null || now.getTime() >= told.last_sent_at.getTime() + hours * HOUR_MS;
}

/** When it is told of again without another event; null when it is not. */
export function toldAgainAt(told: Told, { frequency_hours: hours, repetitions }: Pace): Date | null {
  if (hours === null || (repetitions !== null && told.sent_count >= repetitions)) return null;
  return new Date(told.last_sent_at.getTime() + hours * HOUR_MS);
}

/** When it is looked at next: to tell of it again, and every hour, whether its condition still lasts. */
export function lookedAtNext(told: Told, pace: Pace, now: Date): Date {
  const inAnHour = new Date(now.getTime() + HOUR_MS);
  const again = toldAgainAt(told, pace);
  return again !== null && again < inAnHour && again > now ? again : inAnHour;
}
