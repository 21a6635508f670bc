// Values for a form, as a careful user would send them: specified values, presets of the form, and generated values for
// all other required attributes.
import { randomBytes } from 'node:crypto';
import { matchingText } from '@signetry/connector-sdk';
import type {
  AttributeContentType,
  BaseAttributeConstraintDto,
  BaseAttributeContentDto,
  BaseAttributeDto,
  DataAttribute,
  RequestAttributeDto,
} from '@signetry/contract';
import type { ValuesOfKind } from './given-values.ts';

/** Content of an attribute. */
export type Content = RequestAttributeDto['content'];

export interface FormFacts {
  readonly given: ValuesOfKind;
  /** Choices that callbacks returned, keyed by attribute name. */
  readonly choices: ReadonlyMap<string, Content>;
  /** Names of attributes that others depend on. They are filled in even if they are optional. */
  readonly sources: ReadonlySet<string>;
}

/** Returns the values of a whole form. */
export function generateValues(definitions: readonly BaseAttributeDto[], facts: FormFacts): RequestAttributeDto[] {
  return definitions.flatMap((definition): RequestAttributeDto[] => {
    if (definition.type !== 'data') return [];
    const content = contentFor(definition, facts);
    return content.length === 0 ? [] : [valueOf(definition, content)];
  });
}

export const valueOf = ({ uuid, name, contentType }: DataAttribute, content: Content): RequestAttributeDto => ({
  uuid,
  name,
  contentType,
  content,
});

/** Returns the content of an attribute, empty if it is omitted. */
export function contentFor(definition: DataAttribute, facts: FormFacts): Content {
  const { name, properties, content = [] } = definition;
  if (Object.hasOwn(facts.given, name)) return givenContent(definition, facts);
  if (properties.readOnly) return content;
  const isNeeded = properties.required || facts.sources.has(name);
  if (properties.list) return isNeeded ? choicesOf(definition, facts).slice(0, 1) : [];
  if (content.length > 0) return content.slice(0, 1);
  return isNeeded ? [{ data: generateValue(definition) }] : [];
}

const choicesOf = ({ name, content = [] }: DataAttribute, { choices }: FormFacts): Content =>
  content.length > 0 ? content : (choices.get(name) ?? []);

function givenContent(definition: DataAttribute, facts: FormFacts): Content {
  const given = facts.given[definition.name];
  const several = Array.isArray(given) ? given : [given];
  const choices = choicesOf(definition, facts);
  const itemOf = (data: unknown): BaseAttributeContentDto =>
    // Any JSON value is valid content of some type.
    choices.find((choice) => isEqual(choice.data, data)) ?? ({ data } as BaseAttributeContentDto);
  return several.filter((data) => data !== null && data !== undefined).map(itemOf);
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns a value that satisfies the constraints. */
function generateValue({ contentType, constraints = [] }: DataAttribute): Content[number]['data'] {
  for (const constraint of constraints) {
    const value = satisfyingValue(constraint, contentType);
    if (value !== undefined) return value;
  }
  return usual[contentType]();
}

function satisfyingValue(
  constraint: BaseAttributeConstraintDto,
  contentType: AttributeContentType,
): string | number | undefined {
  if (constraint.data === undefined) return undefined;
  switch (constraint.type) {
    case 'regExp':
      return matchingText(constraint.data);
    case 'range': {
      const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = constraint.data;
      return Math.min(Math.max(contentType === 'float' ? 1.5 : 1, from), to);
    }
    case 'dateTime': {
      const { from, to } = constraint.data;
      return from ?? to;
    }
  }
}

const usual: Readonly<Record<AttributeContentType, () => Content[number]['data']>> = {
  string: () => 'conformance',
  text: () => 'Conformance check',
  integer: () => 1,
  float: () => 1.5,
  boolean: () => true,
  date: () => new Date().toISOString().slice(0, 10),
  time: () => '12:00:00',
  datetime: () => new Date().toISOString(),
  // Unique in each run, so that it is recognized wherever it appears.
  secret: () => ({ secret: randomBytes(18).toString('base64url') }),
  file: () => ({
    content: Buffer.from('Conformance check').toString('base64'),
    fileName: 'check.txt',
    mimeType: 'text/plain',
  }),
  credential: () => ({ uuid: crypto.randomUUID(), name: 'conformance', kind: 'Basic', attributes: [] }),
  codeblock: () => ({ language: 'json', code: Buffer.from('{}').toString('base64') }),
  object: () => ({}),
};
