// Authorities in the form of the interface.
import type { AuthorityInstanceDto, AuthorityProviderInstanceDto, ResponseAttributeDto } from '@signetry/contract';
import { maskSecrets } from '../attributes/index.ts';
import type { AuthorityRow } from './tables.ts';

/** Values stand in the details only; a list names the authorities. */
export const presentAuthority = (
  row: AuthorityRow,
  shown: { readonly attributes: readonly ResponseAttributeDto[]; readonly status: string } = {
    attributes: [],
    status: row.status,
  },
): AuthorityInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  kind: row.kind,
  status: shown.status,
  ...(row.connector_uuid === null ? {} : { connectorUuid: row.connector_uuid }),
  connectorName: row.connector_uuid === null ? `${row.connector_name} (Deleted)` : row.connector_name,
  attributes: [...shown.attributes],
});

/** Values as the connector knows them, for an authority of which the platform keeps none. */
export const attributesOfInstance = (instance: AuthorityProviderInstanceDto): ResponseAttributeDto[] =>
  maskSecrets(
    instance.attributes.flatMap((attribute) =>
      attribute.type === 'data' && attribute.content !== undefined
        ? [
            {
              uuid: attribute.uuid,
              name: attribute.name,
              label: attribute.properties.label,
              type: attribute.type,
              contentType: attribute.contentType,
              content: attribute.content,
            },
          ]
        : [],
    ),
    'authorities',
  );
