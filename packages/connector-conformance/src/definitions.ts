// Rules of lists of attribute definitions, beyond those of a single one: what a form needs in order to be shown and
// filled in.
import { definitionProblems, linearPattern, PatternError } from '@signetry/connector-sdk';
import {
  contentItemSchemas,
  type AttributeCallback,
  type BaseAttributeConstraintDto,
  type BaseAttributeDto,
  type DataAttribute,
} from '@signetry/contract';

/** Everything that is wrong with the definitions of a form. */
export const problemsOfDefinitions = (definitions: readonly BaseAttributeDto[]): string[] => [
  ...repeated(definitions.map(({ name }) => name)).map((name) => `The name ${name} is used twice.`),
  ...repeated(definitions.map(({ uuid }) => uuid)).map((uuid) => `The uuid ${uuid} is used twice.`),
  ...definitions.flatMap(problemsOf),
];

const repeated = (texts: readonly string[]): string[] => [
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
  const schema = contentItemSchemas[contentType];
  return content.every((item) => schema.safeParse(item).success) ? [] : [`has content that is no ${contentType}`];
}

const FITTING: Readonly<Record<BaseAttributeConstraintDto['type'], readonly string[]>> = {
  regExp: ['string'],
  range: ['integer', 'float'],
  dateTime: ['datetime'],
};

function constraintProblems({ contentType }: DataAttribute, constraint: BaseAttributeConstraintDto): string[] {
  if (!FITTING[constraint.type].includes(contentType))
    return [`has a ${constraint.type} constraint, which does not fit its content type ${contentType}`];
  if (constraint.type !== 'regExp' || constraint.data === undefined) return [];
  try {
    linearPattern(constraint.data);
    return [];
  } catch (error) {
    if (error instanceof PatternError)
      return [`has a pattern that not every platform reads: ${error.message.replace(/\.$/, '')}`];
    throw error;
  }
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function callbackProblems({ callbackContext, callbackMethod, mappings }: AttributeCallback): string[] {
  const problems: string[] = [];
  if (callbackContext.trim() === '') problems.push('has a call-back without a context');
  if (!METHODS.has(callbackMethod.toUpperCase())) problems.push(`has a call-back with the method ${callbackMethod}`);
  for (const { to, targets, from, value, attributeContentType } of mappings) {
    if (to.trim() === '') problems.push('has a mapping that goes nowhere');
    if (targets.length === 0) problems.push(`has a mapping to ${to} without a target`);
    if (from === undefined && value === undefined) problems.push(`has a mapping to ${to} without a value`);
    if (attributeContentType === 'credential' && targets.some((target) => target !== 'body'))
      problems.push(`has a mapping to ${to} that puts a credential elsewhere than in the body`);
  }
  return problems;
}
