// Search fields for discoveries. `d` is the discovery.
import { sql } from 'kysely';
import type { FilterFieldSource, ConditionItemDto } from '@signetry/contract';
import { column } from '../../platform/database/filter/reading.ts';
import { evaluatedObjects } from '../../platform/database/filter/read-values.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';
import { readFilters } from '../../kernel/filter/read-filters.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import { findFulfilling } from './store.ts';

const offered = sqlFields('discoveries', {
  DISCOVERY_NAME: column('d.name'),
  DISCOVERY_START_TIME: column('d.started_at'),
  DISCOVERY_END_TIME: column('d.ended_at'),
  DISCOVERY_STATUS: column('d.status'),
  DISCOVERY_TOTAL_CERT_DISCOVERED: column('d.found', { valueType: 'number' }),
  DISCOVERY_CONNECTOR_NAME: column('d.connector_name'),
  DISCOVERY_KIND: column('d.kind'),
});

/**
 * For compatibility: API clients were offered the discovery name under this identifier, which belongs to names of key
 * items.
 */
const OTHER_NAME = 'CKI_NAME';

export const discoveryFields = {
  fields: offered.fields,
  lookup: (source: FilterFieldSource, identifier: string) =>
    offered.lookup(source, source === 'property' && identifier === OTHER_NAME ? 'DISCOVERY_NAME' : identifier),
};

/** Discoveries as objects that conditions are evaluated on. */
const evaluatedDiscoveries = evaluatedObjects(discoveryFields.lookup, {
  from: sql`discovery AS d`,
  key: sql`d.uuid`,
  name: sql`d.name`,
});

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
