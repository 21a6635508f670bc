// Discoveries as objects that conditions are evaluated on.
import type { ConditionItemDto } from '@signetry/contract';
import { readFilters } from '../../kernel/filter/read-filters.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import { discoveryFields, evaluatedDiscoveries } from './search-fields.ts';
import { findFulfilling } from './store.ts';

export type CheckedDiscoveries = ReturnType<typeof createCheckedDiscoveries>;

export function createCheckedDiscoveries({ database, clock }: Platform) {
  const read = (items: readonly ConditionItemDto[]) =>
    readFilters(
      items.map(({ operator: condition, ...item }) => ({ ...item, condition })),
      { lookup: discoveryFields.lookup, now: clock.now() },
    );
  return {
    evaluated: evaluatedDiscoveries,
    /** Rejects conditions that cannot be applied to discoveries. */
    assertConditions: (items: readonly ConditionItemDto[]): void => void read(items),
    /** Returns the discoveries that currently match the conditions. */
    async fulfilling(items: readonly ConditionItemDto[], uuids: readonly string[]): Promise<ReadonlySet<string>> {
      const conditions = read(items);
      return new Set(await runSearch({ database, conditions }, (tx) => findFulfilling(tx, conditions, uuids)));
    },
  };
}
