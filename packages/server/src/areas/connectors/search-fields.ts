// Search fields for connectors. `k` is the connector.
import { sql } from 'kysely';
import { column, related } from '../../platform/database/filter/reading.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

export const connectorFields = sqlFields('connectors', {
  CONNECTOR_NAME: column('k.name'),
  CONNECTOR_URL: column('k.url'),
  CONNECTOR_AUTH_TYPE: column('k.auth_type'),
  CONNECTOR_STATUS: column('k.status'),
  // Connectors of version 2 cannot be registered.
  CONNECTOR_VERSION: column(sql`'v1'::text`),
  CONNECTOR_FUNCTION_GROUP: related({
    from: sql`connector_function_group g`,
    where: sql`g.connector_uuid = k.uuid`,
    value: 'g.code',
  }),
});
