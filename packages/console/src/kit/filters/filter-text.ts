// Formats filters as text: `RA profile: web or mail`, `Valid from is in the last 30 days`.
import {
  platformEnums,
  propertyFields,
  type FilterableResource,
  type FilterConditionOperator,
  type PropertyField,
  type SearchFilterRequestDto,
} from '@signetry/contract';
import { DAY_MS, formatDate, formatDateTime } from '../../format/dates.ts';
import { describeCondition } from './condition-text.ts';
import { nameOfField } from './filter-fields.ts';
import { describePeriod } from './period.ts';

/** Labels for codes that the console names differently than the platform. */
export type CodeTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function describeFilter(
  resource: FilterableResource,
  filter: SearchFilterRequestDto,
  codes: CodeTexts = {},
): string {
  const { condition, value } = filter;
  const facts = factsOf(resource, filter);
  const name = nameOfField(resource, filter);
  const values = listOf(value).map((each) =>
    describeValue(each, { facts, condition, codes: codes[filter.fieldIdentifier] }),
  );
  if (condition === 'EQUALS' && values.length > 0) return `${name}: ${values.join(' or ')}`;
  if (condition === 'NOT_EQUALS' && values.length > 0) return `${name}: not ${values.join(', nor ')}`;
  if (condition.startsWith('COUNT'))
    return `Number of ${lowerFirst(name)} ${describeCondition(condition, 'list').replace('number ', '')} ${values.join()}`;
  return [name, describeCondition(condition, facts?.type ?? typeOf(filter)), values.join(' or ')].join(' ').trim();
}

export interface FilterParts {
  /** For example, `contains` or `is any of`. */
  readonly operator: string;
  /** Values as text. Free text and names are in quotation marks. */
  readonly values: readonly string[];
}

/** Returns the parts of a filter for use in sentences. */
export function partsOfFilter(
  resource: FilterableResource,
  filter: SearchFilterRequestDto,
  codes: CodeTexts = {},
): FilterParts {
  const { condition, value, fieldIdentifier } = filter;
  const facts = factsOf(resource, filter);
  const type = facts?.type ?? typeOf(filter);
  const isQuoted = !condition.startsWith('IN_') && (type === 'string' || (type === 'list' && !facts?.platformEnum));
  return {
    operator: describeCondition(condition, type),
    values: listOf(value).map((each) => {
      const words = describeValue(each, { facts, condition, codes: codes[fieldIdentifier] });
      return isQuoted && typeof each === 'string' && !/^\d+$/.test(each) ? `“${words}”` : words;
    }),
  };
}

/** Lowercases the first letter; abbreviations keep their case. */
const lowerFirst = (name: string): string =>
  /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);

function factsOf(resource: FilterableResource, filter: SearchFilterRequestDto): PropertyField | undefined {
  const fields: Readonly<Record<string, PropertyField>> = propertyFields[resource];
  const { fieldSource, fieldIdentifier } = filter;
  return fieldSource === 'property' && Object.hasOwn(fields, fieldIdentifier) ? fields[fieldIdentifier] : undefined;
}

/** An attribute's identifier contains its content type. */
const typeOf = ({ fieldIdentifier }: SearchFilterRequestDto): PropertyField['type'] =>
  /\|(?:DATE|DATETIME|TIME)$/.test(fieldIdentifier) ? 'datetime' : 'string';

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

interface ValueFacts {
  readonly facts: PropertyField | undefined;
  readonly condition: FilterConditionOperator;
  readonly codes: Readonly<Record<string, string>> | undefined;
}

function describeValue(value: unknown, { facts, condition, codes }: ValueFacts): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (condition === 'IN_NEXT' || condition === 'IN_PAST') return describePeriod(value);
  if (facts?.type === 'datetime') return formatInstant(value);
  if (facts?.type === 'boolean') return value === 'true' ? 'yes' : 'no';
  return codes?.[value] ?? (facts && labelOf(facts, value)) ?? value;
}

/** Returns the label for a code, or undefined if the enum does not contain it. */
export function labelOf({ platformEnum }: Pick<PropertyField, 'platformEnum'>, code: string): string | undefined {
  const labels: Readonly<Record<string, string>> = platformEnum ? platformEnums[platformEnum].labels : {};
  return Object.hasOwn(labels, code) ? labels[code] : undefined;
}

export function formatInstant(value: string): string {
  const instant = Date.parse(value);
  if (Number.isNaN(instant)) return value;
  return instant % DAY_MS === 0 ? formatDate(value) : formatDateTime(value);
}
