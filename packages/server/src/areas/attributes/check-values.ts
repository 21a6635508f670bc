// Checks a caller's values against a connector's definitions. Pure, with bounded run time: patterns come from
// connectors and values from callers, and neither must be able to block the process.
import { readTypedText, type AttributeContentType, type RequestAttributeDto } from '@signetry/contract';
import { contentProblem, sameJson } from './content.ts';
import { constraintProblem, type PatternBudget } from './constraints.ts';
import type { ContentItem, ValueDefinition } from './attribute-terms.ts';

/** A request contains each attribute only once, so a larger number indicates a mistake or an attack. */
const MAX_ATTRIBUTES = 1_000;
const MAX_ITEMS = 1_000;

export interface ValueCheck {
  readonly problems: readonly string[];
  /** Values with the identifiers and content types of their definitions, to be stored and sent. */
  readonly accepted: readonly RequestAttributeDto[];
}

export interface KnownDefinitions {
  /** Definitions fetched for this request. Only these can be reported as missing. */
  readonly current: readonly ValueDefinition[];
  /** Previously known definitions, e.g. children of a group. They are found by name. */
  readonly earlier: readonly ValueDefinition[];
}

export function checkValues(
  requested: readonly RequestAttributeDto[],
  known: KnownDefinitions,
  budget: PatternBudget,
): ValueCheck {
  if (requested.length > MAX_ATTRIBUTES)
    return { problems: [`More than ${MAX_ATTRIBUTES} attributes were sent.`], accepted: [] };
  const byName = new Map([...known.earlier, ...known.current].map((definition) => [definition.name, definition]));
  const problems: string[] = [];
  const accepted = new Map<string, RequestAttributeDto>();
  for (const attribute of requested) {
    const definition = byName.get(attribute.name);
    const typed = definition ? withDefinedType(attribute, definition) : attribute;
    const found = definition ? attributeProblems(typed, { definition, budget }) : [unknownAttribute(attribute.name)];
    if (accepted.has(attribute.name)) found.push(`Attribute ${printable(attribute.name)} was sent twice.`);
    problems.push(...found);
    if (!definition) continue;
    const { uuid, name, contentType } = definition;
    accepted.set(name, { uuid, name, contentType, content: typed.content });
  }
  for (const { name, required, label } of known.current) {
    if (required && !accepted.has(name)) problems.push(`Attribute ${title(name, label)} is required.`);
  }
  return { problems, accepted: [...accepted.values()] };
}

const unknownAttribute = (name: string): string => `Attribute ${printable(name)} is unknown.`;

function attributeProblems(
  attribute: RequestAttributeDto,
  { definition, budget }: { definition: ValueDefinition; budget: PatternBudget },
): string[] {
  const { content } = attribute;
  const describeProblem = (problem: string) => `Attribute ${title(definition.name, definition.label)} ${problem}.`;
  if (content.length > MAX_ITEMS) return [describeProblem(`has more than ${MAX_ITEMS} items`)];
  if (content.length === 0) return definition.required ? [describeProblem('is required')] : [];
  if (!isOfType(attribute, definition))
    return [
      describeProblem(
        `accepts values of the content type ${definition.contentType}, not ${attribute.contentType}; its definition may have changed since the form was loaded, so reload it`,
      ),
    ];
  if (definition.readOnly && !sameJson(content, definition.content))
    return [describeProblem('is read-only and must be sent as defined')];
  if (content.length > 1 && !definition.multiSelect)
    return [describeProblem(`accepts one value; ${content.length} were sent`)];
  const problems = new Set<string>();
  for (const item of content) {
    const problem = itemProblem(item, definition, budget);
    if (problem !== undefined) problems.add(describeProblem(problem));
  }
  return [...problems];
}

/** Clients that build their own forms send numbers, booleans and secrets as text, with the content type of a text. */
function withDefinedType(attribute: RequestAttributeDto, { contentType }: ValueDefinition): RequestAttributeDto {
  if (attribute.contentType === contentType && attribute.content.every(({ data }) => typeof data !== 'string'))
    return attribute;
  const content = attribute.content.map((item) => {
    const data = typeof item.data === 'string' ? readTypedText(contentType, item.data) : undefined;
    return data === undefined ? undefined : { ...item, data };
  });
  const isConverted = content.length > 0 && content.every((item) => item !== undefined);
  return isConverted ? { ...attribute, contentType, content } : attribute;
}

/**
 * Returns whether the content type matches. `string` and `text` are both accepted, because clients that build their own
 * forms confuse them.
 */
const isOfType = ({ contentType: sent }: RequestAttributeDto, { contentType }: ValueDefinition): boolean =>
  sent === contentType || (TEXTS.has(sent) && TEXTS.has(contentType));

const TEXTS = new Set<AttributeContentType>(['string', 'text']);

/**
 * Returns whether a value is one of the choices. Connectors offer only part of a structured value (e.g. a name and an
 * identifier), and choices of earlier definitions are not stored.
 */
function isChoice({ data }: ContentItem, { list, content }: ValueDefinition): boolean {
  if (!list || content.length === 0 || typeof data === 'object') return true;
  return content.some((choice) => sameJson(choice.data, data));
}

function itemProblem(item: ContentItem, definition: ValueDefinition, budget: PatternBudget): string | undefined {
  const form = contentProblem(definition.contentType, item.data);
  if (form !== undefined) return form;
  if (!isChoice(item, definition)) return 'accepts only values from its choices';
  for (const constraint of definition.constraints) {
    const problem = constraintProblem(constraint, { contentType: definition.contentType, data: item.data, budget });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const printable = (name: string): string => name.slice(0, 100);

const title = (name: string, label: string): string =>
  printable(label.trim() === '' || label === name ? name : `${label} (${name})`);
