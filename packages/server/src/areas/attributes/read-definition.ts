// What the platform takes from a definition. Whether it is well formed is for `definitionProblems` of the connector
// kit, which connectors and platforms share. No I/O.
import type { BaseAttributeDto, DataAttribute, MetadataAttribute } from '@signetry/contract';
import type { ValueDefinition } from './attribute-terms.ts';

export const isDataDefinition = (definition: BaseAttributeDto): definition is DataAttribute =>
  definition.type === 'data';

/** What stands in a group, and in the groups in it. */
export const contentOfGroup = (definition: BaseAttributeDto): BaseAttributeDto[] =>
  definition.type === 'group' ? (definition.content ?? []).flatMap((inner) => [inner, ...contentOfGroup(inner)]) : [];

/** The parts of a data definition by which values are judged. */
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
 * A definition as it is kept: choices and defaults belong to the moment, content of a read-only attribute to the
 * definition.
 */
export function definitionToKeep(definition: DataAttribute | MetadataAttribute): Record<string, unknown> {
  const { content, ...rest } = definition;
  return definition.type === 'data' && definition.properties.readOnly ? { ...rest, content } : rest;
}
