// Adjusts job times to the platform's clock and time zone, at startup and after the clock was set back. Runs that were
// missed in the meantime remain due.
import type { Platform } from '../../platform/platform.ts';
import { realignedRun } from './next-run.ts';
import { lockWaiting, setNextRun } from './store-runs.ts';

export function createTimeKeeper({ database, clock }: Pick<Platform, 'database' | 'clock'>, timeZone: string) {
  let seen: Date | undefined;

  async function alignSchedules(now: Date): Promise<void> {
    await database.transaction(async (tx) => {
      for (const job of await lockWaiting(tx)) {
        const nextRunAt = realignedRun(job, { now, timeZone });
        if (nextRunAt?.getTime() !== job.next_run_at?.getTime() || job.time_zone !== timeZone)
          await setNextRun(tx, job.uuid, { nextRunAt, timeZone });
      }
    });
  }

  return async function keepTime(): Promise<void> {
    const now = clock.now();
    if (seen === undefined || now < seen) await alignSchedules(now);
    seen = now;
  };
}
