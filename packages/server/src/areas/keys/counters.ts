// Key counters: added up periodically, and verified and repaired on request.
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { DerivedData, Platform, DerivedMismatch } from '../../platform/platform.ts';
import { mergeCounts, countUnmerged, findCountMismatches, repairCounts, type CountMismatch } from './store-counts.ts';

const PERIOD_MS = 5_000;
/** Number of rows below which reads are not slowed down. */
const MANY = 200;

export interface KeyCounters extends Rounds {
  readonly derivedData: DerivedData;
}

export function createKeyCounters({ database, log }: Pick<Platform, 'database' | 'log'>): KeyCounters {
  const { executor } = database;
  const rounds = createRounds({
    log,
    what: 'adding up key counters',
    periodMs: PERIOD_MS,
    run: async () => {
      if ((await countUnmerged(executor)) > MANY) await mergeCounts(executor);
      return false;
    },
  });
  const derivedData: DerivedData = {
    name: 'counters of keys',
    findWrong: async () => (await findCountMismatches(executor)).map(describeMismatch),
    repair: () => database.transaction(async (tx) => (await repairCounts(tx)).map(describeMismatch)),
  };
  return { start: rounds.start, stop: rounds.stop, derivedData };
}

const describeMismatch = ({ kind, kept, counted }: CountMismatch): DerivedMismatch => ({
  what: `key items: ${kind.map((part) => part ?? '(none)').join(', ')}`,
  kept: String(kept),
  right: String(counted),
});
