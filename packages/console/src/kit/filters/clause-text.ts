// Formats conditions as clauses: `whose issuer common name contains “Corp CA”`, `that expires in the next 30 days`.
import {
  propertyFields,
  type FilterableResource,
  type Resource,
  type SearchFilterRequestDto,
} from '@signetry/contract';
import { nameOfField } from './filter-fields.ts';
import { partsOfFilter, type CodeTexts } from './filter-text.ts';

/** Alternative names for fields whose labels do not read well after `whose`. */
const spoken: Readonly<Record<string, string>> = {
  NOT_AFTER: 'expiry date',
  NOT_BEFORE: 'validity start',
  SUBJECTDN: 'subject',
  ISSUERDN: 'issuer',
  ISSUER_COMMON_NAME: 'issuer',
  DISCOVERY_TOTAL_CERT_DISCOVERED: 'number of certificates',
};

/** Clauses for flags, affirmative and negative. */
const flags: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  PRIVATE_KEY: ['whose private key is known to the platform', 'whose private key is not known to the platform'],
  TRUSTED_CA: ['that is a trusted CA', 'that is not a trusted CA'],
  HYBRID_CERTIFICATE: ['that is hybrid', 'that is not hybrid'],
  ARCHIVED: ['that is archived', 'that is not archived'],
};

export function clauseOf(resource: Resource, filter: SearchFilterRequestDto, codes: CodeTexts = {}): string {
  const { fieldSource, fieldIdentifier: field, condition, value } = filter;
  const isProperty = fieldSource === 'property';
  const flag = isProperty ? flags[field] : undefined;
  if (flag && typeof value === 'boolean' && (condition === 'EQUALS' || condition === 'NOT_EQUALS'))
    return flag[value === (condition === 'EQUALS') ? 0 : 1];
  const known = isFilterable(resource) ? resource : 'certificates';
  const name = (isProperty && spoken[field]) || nameInSentence(nameOfField(known, filter), isProperty);
  const { operator, values } = partsOfFilter(known, filter, codes);
  if (isProperty && field === 'NOT_AFTER' && (condition === 'IN_NEXT' || condition === 'IN_PAST'))
    return `that ${condition === 'IN_NEXT' ? 'expires in the next' : 'expired in the last'} ${values.join()}`;
  if (condition === 'EMPTY') return `that has no ${name}`;
  if (condition === 'NOT_EMPTY') return `whose ${name} is set`;
  if (condition.startsWith('COUNT'))
    return `whose number of ${name} ${operator.replace('number ', '')} ${values.join()}`;
  return `whose ${name} ${describeValues(operator, values)}`;
}

const isFilterable = (resource: Resource): resource is FilterableResource => Object.hasOwn(propertyFields, resource);

/** Abbreviations keep their case, and user-defined names are quoted unchanged. */
function nameInSentence(name: string, isProperty: boolean): string {
  if (!isProperty) return `“${name}”`;
  return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns text such as `is A or B` or `is neither A nor B`. */
function describeValues(operator: string, values: readonly string[]): string {
  if (operator === 'is any of' || operator === 'is') return `is ${values.join(' or ')}`;
  if (operator === 'is none of' || operator === 'is not')
    return values.length > 1 ? `is neither ${values.join(' nor ')}` : `is not ${values.join()}`;
  return `${operator} ${values.join(' or ')}`;
}

/** Formats a filter's values, regardless of its operator: `“web” or “mail”`, `empty`. */
export function describeFilterValues(
  resource: Resource,
  filter: SearchFilterRequestDto,
  codes: CodeTexts = {},
): string {
  const known = isFilterable(resource) ? resource : 'certificates';
  const { values } = partsOfFilter(known, { ...filter, condition: 'EQUALS' }, codes);
  return values.length === 0 ? 'empty' : values.join(', ');
}
