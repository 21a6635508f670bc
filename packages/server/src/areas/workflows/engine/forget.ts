// Forgets what triggers were asked long ago.
import type { Platform } from '../../../platform/platform.ts';
import type { Settings } from '../../settings/index.ts';
import { deleteOldEvaluations } from './store.ts';

const QUEUE = 'workflows-forget';
const HOURLY = '23 * * * *';
const DAY_MS = 86_400_000;
const BATCH = 5_000;

export function declareForgetting(
  { jobs, database, clock }: Platform,
  { settings }: { readonly settings: Pick<Settings, 'retention'> },
): void {
  jobs.declare({
    name: QUEUE,
    schedule: HOURLY,
    retryLimit: 0,
    handle: async (_payload, { signal }) => {
      const { evaluationsKeptDays } = await settings.retention();
      const before = new Date(clock.now().getTime() - evaluationsKeptDays * DAY_MS);
      const facts = { before, limit: BATCH };
      while (!signal.aborted && (await deleteOldEvaluations(database.executor, facts)) === BATCH);
    },
  });
}
