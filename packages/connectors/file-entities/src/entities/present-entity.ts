// Entities as the API presents them, without their secrets.
import { metadataAttribute } from '@signetry/connector-sdk';
import type {
  BaseAttributeContentDto,
  BaseAttributeDto,
  DataAttribute,
  ProviderEntityInstanceDto,
} from '@signetry/contract';
import { metadataUuid } from '../attributes/attribute-uuids.ts';
import { entityFields } from './entity-form.ts';
import type { EntityRow } from './entity-store.ts';

export const HOST_KEY = 'meta_hostKey';

export const hostKeyMetadata = (fingerprint: string) =>
  metadataAttribute({
    uuid: metadataUuid(1),
    name: HOST_KEY,
    label: 'Host key',
    contentType: 'string',
    content: [fingerprint],
    overwrite: true,
  });

export function presentEntity(row: EntityRow, directories: readonly string[]): ProviderEntityInstanceDto {
  const fields = entityFields({ kind: row.kind, directories });
  const fillField = (field: DataAttribute, data: string | number): BaseAttributeDto => {
    const choice = field.content?.find((each) => field.properties.list && each.data === data);
    // The content type of the field matches the value.
    const item = choice ?? ({ reference: String(data), data } as BaseAttributeContentDto);
    return { ...field, content: [item] };
  };
  const attributes =
    row.transport === 'local'
      ? [fillField(fields.transport, row.transport), fillField(fields.directory, row.directory)]
      : [
          fillField(fields.transport, row.transport),
          fillField(fields.host, row.host),
          fillField(fields.port, row.port),
          fillField(fields.username, row.username),
          ...(row.host_key === null ? [] : [hostKeyMetadata(row.host_key)]),
        ];
  return { uuid: row.uuid, name: row.name, attributes };
}
