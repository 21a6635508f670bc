// Maintains the blocks of the certificate list.
import type { DerivedData, Platform } from '../../../platform/platform.ts';
import { createRounds, type Rounds } from '../../../platform/jobs/rounds.ts';
import { findBlockMismatches, foldBlocks, recountBlocks } from './store-blocks.ts';

const PERIOD_MS = 2_000;
const BATCH = 5_000;

export const createBlockUpkeep = ({ database, log }: Pick<Platform, 'database' | 'log'>): Rounds =>
  createRounds({
    log,
    what: 'counting of listed certificates',
    periodMs: PERIOD_MS,
    run: () => foldBlocks(database, BATCH),
  });

export const createBlockCheck = ({ database }: Pick<Platform, 'database'>): DerivedData => ({
  name: 'certificate list positions',
  findWrong: () => findBlockMismatches(database.executor),
  repair: () =>
    database.transaction(async (tx) => {
      const wrong = await findBlockMismatches(tx);
      await recountBlocks(tx);
      return wrong;
    }),
});
