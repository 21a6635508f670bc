// Removes what ended long ago; the certificates stay in the inventory.
import type { Platform } from '../../platform/platform.ts';
import { removeOldSecrets } from './secrets/store.ts';
import { removeOld } from './store.ts';

const RETENTION_MS = 90 * 24 * 3_600_000;
const BATCH = 5_000;
const EVERY_HOUR = '17 * * * *';

export function declareCleanUp({ database, clock, jobs }: Platform): void {
  jobs.declare({
    name: 'enrolments-clean-up',
    schedule: EVERY_HOUR,
    handle: async (_payload, { signal }) => {
      const before = new Date(clock.now().getTime() - RETENTION_MS);
      while (!signal.aborted && (await removeOld(database, { before, limit: BATCH })) === BATCH);
      while (!signal.aborted && (await removeOldSecrets(database, { before, limit: BATCH })) === BATCH);
    },
  });
}
