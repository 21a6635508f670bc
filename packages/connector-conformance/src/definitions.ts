// Rules for lists of attribute definitions, in addition to those for a single one: requirements for showing and filling
// in a form.
import { definitionProblems, linearPattern, PatternError } from '@signetry/connector-sdk';
import {
  contentItemSchemaOf,
  type AttributeCallback,
  type BaseAttributeConstraintDto,
  type BaseAttributeDto,
  type DataAttribute,
} from '@signetry/contract';

/** Returns all problems in the definitions of a form. */
export const problemsOfDefinitions = (definitions: readonly BaseAttributeDto[]): string[] => [
  ...findRepeated(definitions.map(({ name }) => name)).map((name) => `The name ${name} is used twice.`),
  ...findRepeated(definitions.map(({ uuid }) => uuid)).map((uuid) => `The uuid ${uuid} is used twice.`),
  ...definitions.flatMap(problemsOf),
];

const findRepeated = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text, place) => texts.indexOf(text) !== place)),
];

function problemsOf(definition: BaseAttributeDto): string[] {
  const callback = 'attributeCallback' in definition ? definition.attributeCallback : undefined;
  const more = [
    ...(callback ? callbackProblems(callback) : []),
    ...(definition.type === 'group' ? [] : contentProblems(definition)),
    ...(definition.type === 'data'
      ? (definition.constraints ?? []).flatMap((each) => constraintProblems(definition, each))
      : []),
  ];
  return [
    ...definitionProblems(definition),
    ...more.map((problem) => `The definition of attribute ${definition.name} ${problem}.`),
  ];
}

function contentProblems({ contentType, content = [] }: Exclude<BaseAttributeDto, { type: 'group' }>): string[] {
  const schema = contentItemSchemaOf(contentType);
  return content.every((item) => schema.safeParse(item).success)
    ? []
    : [`has content that is not of type ${contentType}`];
}

const FITTING: Readonly<Record<BaseAttributeConstraintDto['type'], readonly string[]>> = {
  regExp: ['string'],
  range: ['integer', 'float'],
  dateTime: ['datetime'],
};

function constraintProblems({ contentType }: DataAttribute, constraint: BaseAttributeConstraintDto): string[] {
  if (!FITTING[constraint.type].includes(contentType))
    return [`has a ${constraint.type} constraint, which does not apply to content type ${contentType}`];
  if (constraint.type !== 'regExp' || constraint.data === undefined) return [];
  try {
    linearPattern(constraint.data);
    return [];
  } catch (error) {
    if (error instanceof PatternError)
      return [`has a pattern that not every platform supports: ${error.message.replace(/\.$/, '')}`];
    throw error;
  }
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function callbackProblems({ callbackContext, callbackMethod, mappings }: AttributeCallback): string[] {
  const problems: string[] = [];
  if (callbackContext.trim() === '') problems.push('has a callback without a context');
  if (!METHODS.has(callbackMethod.toUpperCase()))
    problems.push(`has a callback with the unsupported method ${callbackMethod}`);
  for (const { to, targets, from, value, attributeContentType } of mappings) {
    if (to.trim() === '') problems.push('has a mapping without a destination name');
    if (targets.length === 0) problems.push(`has a mapping to ${to} without a target`);
    if (from === undefined && value === undefined) problems.push(`has a mapping to ${to} without a value`);
    if (attributeContentType === 'credential' && targets.some((target) => target !== 'body'))
      problems.push(`has a mapping to ${to} that sends a credential outside the body`);
  }
  return problems;
}
