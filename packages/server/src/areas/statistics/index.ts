// Certificate statistics that are always exact, and fast even with a million certificates, because they use counters
// instead of counting rows. Owns: certificate_count, certificate_expiry_day, certificate_expiry_hour,
// certificate_count_delta, certificate_group_delta. Triggers on certificate and group_membership write the deltas.
// Invariants: every change to a certificate or a membership is committed together with its delta; counters plus deltas
// equal the result of GROUP BY in the same snapshot.
import type { Area, Platform, DerivedData, DerivedMismatch } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createInventoryStatistics } from './inventory-service.ts';
import { statisticsRoutes } from './routes.ts';
import { createStatisticsService } from './service.ts';
import * as upkeep from './store-upkeep.ts';
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';

export function createStatisticsArea(platform: Platform, areas: { readonly audit: AuditTrail }): Area {
  const folder = createFolder(platform);
  return {
    routes: statisticsRoutes(createStatisticsService(platform, areas), createInventoryStatistics(platform)),
    derivedData: [createCounterUpkeep(platform)],
    start: async () => folder.start(),
    stop: () => folder.stop(),
  };
}

/** Counters as derived data that can be checked and repaired. */
export const createCounterUpkeep = ({ database }: Pick<Platform, 'database'>): DerivedData => ({
  name: 'certificate counters',
  findWrong: async () => (await upkeep.findCountMismatches(database.executor)).map(describeMismatch),
  repair: () =>
    database.transaction(async (tx) => {
      await upkeep.lock(tx);
      return (await upkeep.rebuild(tx)).map(describeMismatch);
    }),
});

const describeMismatch = ({ dimension, value, archived, kept, counted }: upkeep.CountMismatch): DerivedMismatch => ({
  what: `${dimension} ${value === '' ? '(none)' : value}${archived ? ', archived' : ''}`,
  kept: String(kept),
  right: String(counted),
});

/** Reads are fast while there are few deltas. Under full load, a few hundred deltas arrive in this time. */
const PERIOD_MS = 2_000;
/** Number of rows per transaction, which takes tens of milliseconds. */
const BATCH = 5_000;

interface Folder extends Rounds {
  /** Folds one batch, and returns whether there may be more. */
  foldBatch(): Promise<boolean>;
}

/**
 * Folds deltas into the counters every 2 s. All nodes try to do so, and the first one succeeds. Readers are not
 * affected, and a crash leaves the data unchanged, because each batch is a single transaction.
 */
export function createFolder({ database, log }: Platform): Folder {
  async function foldBatch(): Promise<boolean> {
    if (!(await upkeep.hasDeltas(database.executor))) return false;
    return database.transaction(async (tx) => (await upkeep.tryLock(tx)) && upkeep.fold(tx, BATCH));
  }

  const rounds = createRounds({ log, what: 'folding statistics deltas', periodMs: PERIOD_MS, run: foldBatch });
  return { ...rounds, foldBatch };
}
