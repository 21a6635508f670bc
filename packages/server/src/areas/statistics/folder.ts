// Moves deltas into the counters, every two seconds on every node: whoever is first does it. A reader never notices,
// and a folder that is killed leaves everything as it was, since a batch is one transaction.
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import * as store from './store-upkeep.ts';

/** Reading is quick while deltas are few; under full load some hundred come in this time. */
const PERIOD_MS = 2_000;
/** Rows of a transaction: some tens of milliseconds. */
const BATCH = 5_000;

export interface Folder extends Rounds {
  /** One batch; returns whether there may be more. */
  foldBatch(): Promise<boolean>;
}

export function createFolder({ database, log }: Platform): Folder {
  async function foldBatch(): Promise<boolean> {
    if (!(await store.hasDeltas(database.executor))) return false;
    return database.transaction(async (tx) => (await store.tryLock(tx)) && store.fold(tx, BATCH));
  }

  const rounds = createRounds({ log, what: 'folding of statistics', periodMs: PERIOD_MS, run: foldBatch });
  return { ...rounds, foldBatch };
}
