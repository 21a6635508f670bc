// Rules that every attribute definition must satisfy. Builders reject violations before a connector starts; platforms
// apply the rules to connector responses, which are untrusted. No I/O.
import type { BaseAttributeDto, DataAttribute } from '@signetry/contract';
import { linearPattern } from '../pattern/linear-pattern.ts';
import { PatternError } from '../pattern/pattern-error.ts';

/** Maximum length of names and labels, which are stored in columns and appear in messages. */
const MAX_NAME_CHARACTERS = 255;
const MAX_LABEL_CHARACTERS = 1_000;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Returns the problems with a definition; empty if there are none. */
export function definitionProblems(definition: BaseAttributeDto): string[] {
  const name = definition.name.slice(0, MAX_NAME_CHARACTERS);
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`The definition of attribute ${name} ${problem}.`);
  };
  expect(UUID.test(definition.uuid), 'must have a valid UUID');
  expect(
    isText(definition.name, MAX_NAME_CHARACTERS),
    'has a name that is empty, too long or contains unsupported characters',
  );
  if (definition.type === 'group') {
    expect(definition.attributeCallback !== undefined, 'is a group and must have a callback');
    return problems;
  }
  if (definition.type === 'data' || definition.type === 'custom') {
    const { list, multiSelect, label } = definition.properties;
    expect(
      isText(label, MAX_LABEL_CHARACTERS),
      'has a label that is empty, too long or contains unsupported characters',
    );
    expect(!multiSelect || list, 'allows multiple choices but is not a list');
  }
  if (definition.type === 'data') for (const problem of patternProblems(definition)) expect(false, problem);
  if (definition.type === 'data' && definition.properties.readOnly) {
    expect((definition.content?.length ?? 0) > 0, 'is read-only and must have content');
    expect(definition.attributeCallback === undefined, 'is read-only and must not have a callback');
    expect(!definition.properties.list, 'is read-only and must not be a list');
  }
  return problems;
}

/** If a pattern were not enforced, values would be accepted that the connector expects to be rejected. */
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

/** PostgreSQL text and jsonb columns accept neither U+0000 nor lone surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
