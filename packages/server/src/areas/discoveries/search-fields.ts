// Search fields for discoveries. `d` is the discovery.
import { sql } from 'kysely';
import type { FilterFieldSource } from '@signetry/contract';
import { column } from '../../platform/database/filter/reading.ts';
import { evaluatedObjects } from '../../platform/database/filter/read-values.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

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
export const evaluatedDiscoveries = evaluatedObjects(discoveryFields.lookup, {
  from: sql`discovery AS d`,
  key: sql`d.uuid`,
  name: sql`d.name`,
});
