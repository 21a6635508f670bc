// Counters as derived data that can be checked and repaired.
import type { DerivedData, Platform, WrongDerived } from '../../platform/platform.ts';
import * as upkeep from './store-upkeep.ts';

export const createCounterUpkeep = ({ database }: Pick<Platform, 'database'>): DerivedData => ({
  name: 'certificate counters',
  findWrong: async () => (await upkeep.findWrongCounts(database.executor)).map(inWords),
  repair: () =>
    database.transaction(async (tx) => {
      await upkeep.lock(tx);
      return (await upkeep.rebuild(tx)).map(inWords);
    }),
});

const inWords = ({ dimension, value, archived, kept, counted }: upkeep.WrongCount): WrongDerived => ({
  what: `${dimension} ${value === '' ? '(none)' : value}${archived ? ', archived' : ''}`,
  kept: String(kept),
  right: String(counted),
});
