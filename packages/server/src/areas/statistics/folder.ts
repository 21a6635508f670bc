// Folds deltas into the counters every 2 s. All nodes try to do so, and the first one succeeds. Readers are not
// affected, and a crash leaves the data unchanged, because each batch is a single transaction.
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import * as store from './store-upkeep.ts';

/** Reads are fast while there are few deltas. Under full load, a few hundred deltas arrive in this time. */
const PERIOD_MS = 2_000;
/** Number of rows per transaction, which takes tens of milliseconds. */
const BATCH = 5_000;

export interface Folder extends Rounds {
  /** Folds one batch, and returns whether there may be more. */
  foldBatch(): Promise<boolean>;
}

export function createFolder({ database, log }: Platform): Folder {
  async function foldBatch(): Promise<boolean> {
    if (!(await store.hasDeltas(database.executor))) return false;
    return database.transaction(async (tx) => (await store.tryLock(tx)) && store.fold(tx, BATCH));
  }

  const rounds = createRounds({ log, what: 'folding statistics deltas', periodMs: PERIOD_MS, run: foldBatch });
  return { ...rounds, foldBatch };
}
