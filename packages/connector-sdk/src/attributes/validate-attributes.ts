// Checks values against their definitions and returns all problems, so that a form can be corrected in one pass.
import {
  contentItemSchemaOf,
  type BaseAttributeConstraintDto,
  type BaseAttributeDto,
  type DataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { linearPattern } from '../pattern/linear-pattern.ts';
import { PatternError } from '../pattern/pattern-error.ts';
import { parseDateTime } from './read-attributes.ts';
import { isObject } from '../is-object.ts';

export interface ValidateOptions {
  /** Whether to accept values without a definition, e.g. because a callback returns their definitions. */
  readonly allowUnknown?: boolean;
}

/** Returns the problems, each naming its attribute by label and name. If there are none, the values can be used. */
export function validateAttributes(
  definitions: readonly BaseAttributeDto[],
  given: readonly RequestAttributeDto[],
  options: ValidateOptions = {},
): string[] {
  const problems: string[] = [];
  const values = new Map<string, RequestAttributeDto>();
  const known = new Map(definitions.map((definition) => [definition.name, definition]));
  for (const value of given) {
    const definition = known.get(value.name);
    if (values.has(value.name)) problems.push(`Attribute "${value.name}" is specified more than once.`);
    values.set(value.name, value);
    // Forms may send back info texts, which have no value.
    if (definition?.type === 'info' || definition?.type === 'group') continue;
    if (!definition && !options.allowUnknown) problems.push(`Unknown attribute "${value.name}".`);
  }
  for (const definition of definitions) {
    if (definition.type === 'data') problems.push(...problemsOf(definition, values.get(definition.name)));
  }
  return problems;
}

function problemsOf(definition: DataAttribute, value: RequestAttributeDto | undefined): string[] {
  const { properties } = definition;
  const name = `"${properties.label}" (${definition.name})`;
  const items = value ? value.content.filter((entry) => isFilled(definition, entry.data)) : [];
  if (items.length === 0) return properties.required ? [`${name} is required.`] : [];
  if (value && value.contentType !== definition.contentType) {
    return [`${name} must have the content type ${definition.contentType}, not ${value.contentType}.`];
  }
  if (items.length > 1 && !properties.multiSelect) return [`${name} accepts only one value.`];
  const schema = contentItemSchemaOf(definition.contentType);
  if (items.some((entry) => !schema.safeParse(entry).success)) {
    return [`${name} must be ${expectedForm[definition.contentType]}.`];
  }
  const data = items.map((entry) => entry.data);
  return [
    ...fixedProblems(definition, data).map((problem) => `${name} ${problem}.`),
    ...(definition.constraints ?? []).flatMap((constraint) =>
      data.flatMap((item) => constraintProblems(constraint, item, name)),
    ),
  ];
}

/** Returns whether a field is filled in: empty form fields send blank text or secrets without content. */
function isFilled(definition: DataAttribute, data: unknown): boolean {
  if (data === undefined || data === null) return false;
  if (typeof data === 'string') return data.trim() !== '';
  if (definition.contentType === 'secret')
    return typeof data !== 'object' || ('secret' in data && data.secret !== null);
  return true;
}

const expectedForm = {
  string: 'text',
  text: 'text',
  integer: 'an integer',
  float: 'a number',
  boolean: 'true or false',
  date: 'a date in the format yyyy-MM-dd',
  time: 'a time in the format HH:mm:ss',
  datetime: 'a date and time',
  secret: 'a secret',
  file: 'a file with content, name and media type',
  credential: 'a credential',
  codeblock: 'a code block with its language',
  object: 'a value',
} as const;

function fixedProblems({ properties, content = [] }: DataAttribute, data: readonly unknown[]): string[] {
  const offered = content.map((entry) => canonicalJson(entry.data));
  if (properties.readOnly) {
    return canonicalJson(data) === canonicalJson(content.map((entry) => entry.data))
      ? []
      : ['is read-only and must not be changed'];
  }
  // A list without items is filled by a callback, so its items are not known here.
  if (!properties.list || offered.length === 0) return [];
  const foreign = data.filter((item) => !offered.includes(canonicalJson(item)));
  return foreign.map(
    (item) =>
      `does not offer ${abbreviate(item)}; choose from ${content.map((entry) => abbreviate(entry.data)).join(', ')}`,
  );
}

function constraintProblems(constraint: BaseAttributeConstraintDto, data: unknown, name: string): string[] {
  const problem = constraintProblem(constraint, data);
  return problem ? [constraint.errorMessage ? `${name}: ${constraint.errorMessage}` : `${name} ${problem}.`] : [];
}

function constraintProblem(constraint: BaseAttributeConstraintDto, data: unknown): string | undefined {
  if (constraint.data === undefined) return undefined;
  switch (constraint.type) {
    case 'regExp':
      return typeof data === 'string' ? patternProblem(constraint.data, data) : undefined;
    case 'range':
      return typeof data === 'number' ? boundsProblem(data, constraint.data) : undefined;
    case 'dateTime': {
      const { from, to } = constraint.data;
      const instant = typeof data === 'string' ? parseDateTime(data)?.getTime() : undefined;
      if (instant === undefined) return 'must be a date and time';
      if (from !== undefined && instant < Date.parse(from)) return `must not be before ${from}`;
      return to !== undefined && instant > Date.parse(to) ? `must not be after ${to}` : undefined;
    }
  }
}

function patternProblem(pattern: string, text: string): string | undefined {
  try {
    return linearPattern(pattern).matches(text) ? undefined : `must match ${pattern}`;
  } catch (error) {
    if (error instanceof PatternError) return `cannot be checked: ${error.message.replace(/\.$/, '')}`;
    throw error;
  }
}

function boundsProblem(
  value: number,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): string | undefined {
  if (from !== undefined && value < from) return `must be at least ${from}`;
  return to !== undefined && value > to ? `must be at most ${to}` : undefined;
}

/** Serializes JSON with sorted members, so that equal values compare equal. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  ) ?? 'undefined';

/** Maximum length of a quoted value in a message. */
const MAX_QUOTED = 60;
const abbreviate = (value: unknown): string => {
  const text = canonicalJson(value);
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`;
};
