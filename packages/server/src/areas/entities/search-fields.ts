// Fields that entities and locations can be filtered by. `e` is the entity, `l` the location.
import { column, reference } from '../../platform/database/filter/reading.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

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
});
