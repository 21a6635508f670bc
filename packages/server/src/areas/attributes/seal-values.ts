// Conversion of values to and from database rows; secrets are sealed to the object that they belong to.
import type { AttributeContentType, RequestAttributeDto } from '@signetry/contract';
import { newUuid } from '../../kernel/ids.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import { searchValue } from './content.ts';
import type { AttributeObject, AttributeScope, ContentItem, MetadataSource } from './attribute-terms.ts';
import { isSecret, maskedItem } from './secrets.ts';
import type { JoinedValue, ValueToInsert } from './store-values.ts';

/** A sealed value can be opened only for the object that it was written for. */
const sealPurpose = (object: Pick<AttributeObject, 'uuid'> & { readonly resource: string }): string =>
  `attribute of ${object.resource} ${object.uuid}`;

export const secretColumn: SealedColumn = {
  table: 'attribute_value',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_data',
  form: 'bytes',
  with: ['object_resource', 'object_uuid'],
  purpose: ({ object_resource: resource = '', object_uuid: uuid = '' }) => sealPurpose({ resource, uuid }),
};

export interface ValueToWrite extends Pick<RequestAttributeDto, 'uuid' | 'name' | 'contentType' | 'content'> {
  /**
   * Connector that owns the definition, or null if no connector does. Default: the connector that the values belong to.
   */
  readonly definedBy?: string | null;
}

export interface ValuesToWrite {
  readonly type: 'data' | 'meta' | 'custom';
  readonly object: AttributeObject;
  readonly scope: AttributeScope;
  readonly source?: MetadataSource | undefined;
  readonly attributes: readonly ValueToWrite[];
}

export function rowsToInsert(values: ValuesToWrite, sealer: Sealer): ValueToInsert[] {
  const { object, scope, source } = values;
  return values.attributes.flatMap((attribute) =>
    attribute.content.map((item, position) => ({
      uuid: newUuid(),
      object_resource: object.resource,
      object_uuid: object.uuid,
      type: values.type,
      defined_by: attribute.definedBy === undefined ? scope.connectorUuid : attribute.definedBy,
      connector_uuid: scope.connectorUuid,
      attribute_uuid: attribute.uuid,
      name: attribute.name,
      operation: scope.operation ?? '',
      purpose: scope.purpose ?? '',
      source_resource: source?.resource ?? null,
      source_uuid: source?.uuid ?? null,
      source_name: source?.name ?? null,
      position,
      ...storedForm(attribute.contentType, item, { sealer, object }),
    })),
  );
}

function storedForm(
  contentType: AttributeContentType,
  item: ContentItem,
  { sealer, object }: { sealer: Sealer; object: AttributeObject },
): Pick<ValueToInsert, 'item' | 'sealed_data' | 'value_text' | 'value_number'> {
  const hidden = isSecret(contentType, object.resource);
  const shown = hidden ? maskedItem(contentType, item) : contentType === 'credential' ? namedCredential(item) : item;
  const { text, number } = searchValue(contentType, shown);
  const sealed = hidden ? sealer.seal(Buffer.from(JSON.stringify(item.data)), sealPurpose(object)) : null;
  return {
    item: { ...(shown.reference === undefined ? {} : { reference: shown.reference }), data: shown.data },
    sealed_data: sealed === null ? null : Buffer.from(sealed).toString('base64'),
    value_text: text,
    value_number: number,
  };
}

/**
 * Reduces a credential to its identifier and name, which are all that is stored. Its contents are looked up when a
 * connector is called.
 */
function namedCredential(item: ContentItem): ContentItem {
  const { uuid, name } = item.data as { uuid: string; name?: unknown }; // The format was checked earlier.
  return { ...item, data: { uuid: uuid.toLowerCase(), name } };
}

/** Returns the item with its secret, for connectors. */
export function openItem(row: JoinedValue, object: AttributeObject, sealer: Sealer): ContentItem {
  if (row.sealed_data === null) return row.item as ContentItem; // The item was stored as a `ContentItem`.
  const data: unknown = JSON.parse(Buffer.from(sealer.open(row.sealed_data, sealPurpose(object))).toString('utf8'));
  return { ...row.item, data };
}
