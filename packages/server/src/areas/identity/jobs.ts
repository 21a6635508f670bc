// Background job for identity: removes credentials that can never be used again.
import type { Platform } from '../../platform/platform.ts';
import type { SessionTimes } from './credentials/sessions.ts';
import { deleteExpired } from './credentials/store.ts';
import { removeExpiredSignIns } from './external/store-sessions.ts';

const CLEAN_UP_QUEUE = 'identity-clean-up';

/** Not urgent: expired credentials are already rejected. */
const EVERY_HOUR = '17 * * * *';

export function declareCleanUp(
  { database, clock, jobs, log }: Platform,
  { idleMs }: Pick<SessionTimes, 'idleMs'>,
): void {
  jobs.declare({
    name: CLEAN_UP_QUEUE,
    schedule: EVERY_HOUR,
    pollS: 60,
    handle: async () => {
      const now = clock.now();
      const removed = await deleteExpired(database.executor, {
        now,
        idleSince: new Date(now.getTime() - idleMs),
      });
      const begun = await removeExpiredSignIns(database.executor, now);
      if (removed + begun > 0) log.debug({ removed: removed + begun }, 'removed expired credentials');
    },
  });
}
