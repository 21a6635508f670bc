// Presents notification instances in the API format.
import type { NotificationInstanceDto, ResponseAttributeDto } from '@signetry/contract';
import type { InstanceRow } from '../tables.ts';

export const presentInstance = (
  row: InstanceRow,
  attributes: readonly ResponseAttributeDto[] = [],
): NotificationInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  connectorUuid: row.connector_uuid ?? '',
  connectorName: row.connector_uuid === null ? `${row.connector_name} (Deleted)` : row.connector_name,
  kind: row.kind,
  attributes: [...attributes],
  attributeMappings: [...row.mappings],
});
