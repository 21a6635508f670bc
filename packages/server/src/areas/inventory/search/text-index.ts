// Maintains the indexes for free-text search and for search by part of a serial number. Without the required extension,
// a search scans all texts or serial numbers.
import { runAsWork } from '../../../platform/database/query-limits.ts';
import { createRounds, type Rounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createTextIndexes, cleanTextIndexes } from './store-text-index.ts';

const PERIOD_MS = 5_000;

export function createTextIndex({ database, log }: Pick<Platform, 'database' | 'log'>): Rounds {
  const stopping = new AbortController();
  let state: 'wanted' | 'there' | 'given up' = 'wanted';

  async function createIndexes(): Promise<void> {
    const outcome = await runAsWork('long', () => createTextIndexes(database, stopping.signal));
    if (outcome === 'there' || outcome === 'made') state = 'there';
    if (outcome !== 'not available' && outcome !== 'not permitted') return;
    state = 'given up';
    log.warn(
      `The extension pg_trgm is ${outcome} in this database, so free-text searches and searches for part of a serial number use no index, which is slow in an inventory ` +
        'of more than 100,000 certificates. Install it (CREATE EXTENSION pg_trgm) and restart.',
    );
  }

  const rounds = createRounds({
    log,
    what: 'maintaining the text indexes',
    periodMs: PERIOD_MS,
    run: async () => {
      if (state === 'wanted') await createIndexes();
      else if (state === 'there') await runAsWork('long', () => cleanTextIndexes(database.executor));
      return false;
    },
  });
  return {
    start: rounds.start,
    stop: () => {
      stopping.abort();
      return rounds.stop();
    },
  };
}
