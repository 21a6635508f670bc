// Search fields for entities and locations. `e` is the entity, `l` the location.
import { sql } from 'kysely';
import { column, reference, related } from '../../platform/database/filter/reading.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';
import { stateOfLocation } from './store-states.ts';

export const entityFields = sqlFields('entities', {
  ENTITY_NAME: column('e.name'),
  ENTITY_CONNECTOR_NAME: column('e.connector_name'),
  ENTITY_KIND: column('e.kind'),
});

export const locationFields = sqlFields('locations', {
  LOCATION_NAME: column('l.name'),
  LOCATION_ENTITY_INSTANCE: reference({ column: 'l.entity_uuid', table: 'entity' }),
  LOCATION_ENABLED: column('l.enabled'),
  LOCATION_SUPPORT_MULTIPLE_ENTRIES: column('l.multiple_entries'),
  LOCATION_SUPPORT_KEY_MANAGEMENT: column('l.key_management'),
  LOCATION_STATE: column(stateOfLocation),
});

/**
 * Names of the locations where a certificate is or will be installed; for certificate filters, where `c` is the
 * certificate.
 */
export const locationsOfCertificate = related({
  from: sql`location_certificate held JOIN location l ON l.uuid = held.location_uuid`,
  where: sql`held.certificate_uuid = c.uuid AND held.state IN ('waiting', 'pushing', 'installed', 'served')`,
  value: 'l.name',
});
