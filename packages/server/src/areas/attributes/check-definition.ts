// Rules that a definition obeys, whoever wrote it. A definition comes from a connector and is not trusted. No I/O.
import type { BaseAttributeDto, DataAttribute, MetadataAttribute } from '@signetry/contract';
import { isUuid } from '../../kernel/ids.ts';
import { isStorableText } from './content.ts';
import type { ValueDefinition } from './domain.ts';

/** Names and labels are column values and appear in messages. */
const MAX_NAME_CHARACTERS = 255;
const MAX_LABEL_CHARACTERS = 1_000;

/** What is wrong with a definition; empty when nothing is. */
export function definitionProblems(definition: BaseAttributeDto): string[] {
  const name = definition.name.slice(0, MAX_NAME_CHARACTERS);
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`The definition of attribute ${name} ${problem}.`);
  };
  expect(isUuid(definition.uuid), 'has no well-formed uuid');
  expect(isText(definition.name, MAX_NAME_CHARACTERS), 'has no usable name');
  if (definition.type === 'group') {
    expect(definition.attributeCallback !== undefined, 'is a group and needs a call-back');
    return problems;
  }
  if (definition.type === 'data' || definition.type === 'custom') {
    const { list, multiSelect, label } = definition.properties;
    expect(isText(label, MAX_LABEL_CHARACTERS), 'has no usable label');
    expect(!multiSelect || list, 'allows several choices but is not a list');
  }
  if (definition.type === 'data' && definition.properties.readOnly) {
    expect((definition.content?.length ?? 0) > 0, 'is read-only and needs content');
    expect(definition.attributeCallback === undefined, 'is read-only and must not have a call-back');
    expect(!definition.properties.list, 'is read-only and must not be a list');
  }
  return problems;
}

const isText = (text: string, limit: number): boolean =>
  text.trim() !== '' && text.length <= limit && isStorableText(text);

export const isDataDefinition = (definition: BaseAttributeDto): definition is DataAttribute =>
  definition.type === 'data';

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
