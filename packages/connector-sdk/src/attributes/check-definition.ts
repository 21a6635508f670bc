// Rules that a definition obeys, whoever wrote it. Builders refuse what breaks them before a connector starts;
// platforms apply them to what connectors answer, which is not trusted. No I/O.
import type { BaseAttributeDto, DataAttribute } from '@signetry/contract';
import { linearPattern } from '../pattern/linear-pattern.ts';
import { PatternError } from '../pattern/pattern-error.ts';

/** Names and labels are column values and appear in messages. */
const MAX_NAME_CHARACTERS = 255;
const MAX_LABEL_CHARACTERS = 1_000;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What is wrong with a definition; empty when nothing is. */
export function definitionProblems(definition: BaseAttributeDto): string[] {
  const name = definition.name.slice(0, MAX_NAME_CHARACTERS);
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`The definition of attribute ${name} ${problem}.`);
  };
  expect(UUID.test(definition.uuid), 'has no well-formed uuid');
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
  if (definition.type === 'data') for (const problem of patternProblems(definition)) expect(false, problem);
  if (definition.type === 'data' && definition.properties.readOnly) {
    expect((definition.content?.length ?? 0) > 0, 'is read-only and needs content');
    expect(definition.attributeCallback === undefined, 'is read-only and must not have a call-back');
    expect(!definition.properties.list, 'is read-only and must not be a list');
  }
  return problems;
}

/** A pattern that nobody enforces would let through what the connector counts on being kept out. */
const patternProblems = ({ constraints = [] }: DataAttribute): string[] =>
  constraints.flatMap((constraint) => {
    if (constraint.type !== 'regExp' || constraint.data === undefined) return [];
    try {
      linearPattern(constraint.data);
      return [];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return [
        `has the pattern ${constraint.data.slice(0, MAX_NAME_CHARACTERS)}, which cannot be enforced: ${error.message.replace(/\.$/, '')}`,
      ];
    }
  });

const isText = (text: string, limit: number): boolean =>
  text.trim() !== '' && text.length <= limit && isStorableText(text);

/** Text columns and jsonb of PostgreSQL take neither U+0000 nor lone surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
