// Background work of identity: removes sessions, links and tokens that can never be used again.
import type { Platform } from '../../platform/platform.ts';
import { SESSION_IDLE_MS } from './credentials/sessions.ts';
import { deleteExpired } from './credentials/store.ts';

const CLEAN_UP_QUEUE = 'identity-clean-up';

/** Nothing waits for this: what has expired is refused already. */
const EVERY_HOUR = '17 * * * *';

export function declareCleanUp({ database, clock, jobs, log }: Platform): void {
  jobs.declare({
    name: CLEAN_UP_QUEUE,
    schedule: EVERY_HOUR,
    pollS: 60,
    handle: async () => {
      const now = clock.now();
      const removed = await deleteExpired(database.executor, {
        now,
        idleSince: new Date(now.getTime() - SESSION_IDLE_MS),
      });
      if (removed > 0) log.debug({ removed }, 'expired sessions, links and tokens were removed');
    },
  });
}
