// API representation of authorities.
import type { AuthorityInstanceDto, AuthorityProviderInstanceDto, ResponseAttributeDto } from '@signetry/contract';
import { maskSecrets } from '../attributes/index.ts';
import type { AuthorityRow } from './tables.ts';

/** Attribute values are included only in details, not in lists. */
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

/** Returns the values from the connector, for an authority without stored values. */
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
