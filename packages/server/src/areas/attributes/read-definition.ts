// Parts of a definition that the platform uses. Whether it is well formed is checked by `definitionProblems` of the
// connector SDK, which connectors and the platform share. No I/O.
import {
  AttributeContentType,
  type BaseAttributeDto,
  type DataAttribute,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { newUuid } from '../../kernel/ids.ts';
import type { ValueDefinition } from './attribute-terms.ts';
import type { DefinitionRow } from './store-definitions.ts';

export const isDataDefinition = (definition: BaseAttributeDto): definition is DataAttribute =>
  definition.type === 'data';

/** Returns a group's contents, including nested groups. */
export const contentOfGroup = (definition: BaseAttributeDto): BaseAttributeDto[] =>
  definition.type === 'group' ? (definition.content ?? []).flatMap((inner) => [inner, ...contentOfGroup(inner)]) : [];

/** Returns the parts of a data definition that values are validated against. */
export const valueDefinition = (definition: DataAttribute): ValueDefinition => ({
  uuid: definition.uuid.toLowerCase(),
  name: definition.name,
  label: definition.properties.label,
  contentType: definition.contentType,
  required: definition.properties.required,
  readOnly: definition.properties.readOnly,
  list: definition.properties.list,
  multiSelect: definition.properties.multiSelect,
  content: definition.content ?? [],
  constraints: definition.constraints ?? [],
});

/**
 * Returns a definition as stored: choices and defaults are transient, but the content of a read-only attribute is part
 * of its definition.
 */
function definitionToStore(definition: DataAttribute | MetadataAttribute): Record<string, unknown> {
  const { content, ...rest } = definition;
  return definition.type === 'data' && definition.properties.readOnly ? { ...rest, content } : rest;
}

/** Values of content types that a newer connector uses are neither checked nor stored. */
export const isSupported = ({ contentType }: { readonly contentType: string }): boolean =>
  AttributeContentType.safeParse(contentType).success;

/** Returns the row that stores a definition. */
export const definitionRow = (
  definition: DataAttribute | MetadataAttribute,
  { connectorUuid, at }: { readonly connectorUuid: string | null; readonly at: Date },
): DefinitionRow => ({
  uuid: newUuid(),
  type: definition.type,
  connector_uuid: connectorUuid,
  attribute_uuid: definition.uuid.toLowerCase(),
  name: definition.name,
  content_type: definition.contentType,
  label: definition.properties.label,
  definition: definitionToStore(definition),
  created_at: at,
  updated_at: at,
});

/**
 * Returns request attributes with the default values of their definitions, as an empty form would show them. List
 * attributes have choices instead of a default and are omitted.
 */
export function defaultAttributes(definitions: readonly BaseAttributeDto[]): RequestAttributeDto[] {
  return definitions.flatMap((definition): RequestAttributeDto[] => {
    if (definition.type !== 'data') return [];
    const { uuid, name, contentType, content, properties } = definition;
    if (properties.list || !content || content.length === 0) return [];
    return [{ uuid, name, contentType, content }];
  });
}
