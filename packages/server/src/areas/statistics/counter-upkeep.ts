// Counters as derived data that can be checked and repaired.
import type { DerivedData, Platform, DerivedMismatch } from '../../platform/platform.ts';
import * as upkeep from './store-upkeep.ts';

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
