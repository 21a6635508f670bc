// Gives definitions to values that a connector returns without ever having defined them.
import { isStorableText } from '@signetry/connector-sdk';
import { attributeUuidOf, type DataAttribute, type RequestAttributeDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import { keyOf } from './definitions.ts';
import { definitionRow, isSupported } from './read-definition.ts';
import { findDefinitions, saveDefinitions } from './store-definitions.ts';

/**
 * Returns values that a connector has made up, such as those to push together with a certificate, with the identifiers
 * of stored definitions. Connectors may send such values without an identifier, or without ever having sent the
 * definition, which is then created from the value.
 */
export async function defineValues(
  tx: Executor,
  values: readonly RequestAttributeDto[],
  { connectorUuid, at }: { readonly connectorUuid: string; readonly at: Date },
): Promise<RequestAttributeDto[]> {
  const usable = values.filter((value) => isStorableText(value.name) && isSupported(value));
  if (usable.length === 0) return [];
  const names = usable.map(({ name }) => name);
  const stored = await findDefinitions(tx, { connectorUuid, type: 'data', names });
  const byKey = new Set(stored.map(keyOf));
  const byName = new Map(stored.map((definition) => [definition.name, definition.attribute_uuid]));
  const identified = usable.map((value) => {
    const isKnown = byKey.has(keyOf({ attribute_uuid: value.uuid.toLowerCase(), name: value.name }));
    return isKnown ? value : { ...value, uuid: byName.get(value.name) ?? attributeUuidOf(value.name) };
  });
  const unknown = identified.filter(({ name }) => !byName.has(name));
  await saveDefinitions(
    tx,
    unknown.map((value) => definitionRow(definitionFor(value), { connectorUuid, at })),
  );
  return identified;
}

const definitionFor = ({ uuid, name, contentType }: RequestAttributeDto): DataAttribute => ({
  version: 2,
  uuid,
  name,
  type: 'data',
  contentType,
  properties: { label: name, visible: true, required: false, readOnly: false, list: false, multiSelect: false },
});
