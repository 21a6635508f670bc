// Values that violate the definitions of a form, each in one way.
import { linearPattern, PatternError } from '@signetry/connector-sdk';
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { valueOf } from './generate-values.ts';

export interface BadValues {
  /** The problem with the values, as the object of a check title. */
  readonly what: string;
  readonly values: readonly RequestAttributeDto[];
}

/** Returns an example of each kind of invalid value, for the first attribute that allows it. */
export function badValuesOf(
  definitions: readonly BaseAttributeDto[],
  good: readonly RequestAttributeDto[],
): readonly BadValues[] {
  const fields = definitions.filter((definition) => definition.type === 'data');
  return ways.flatMap((way) => {
    for (const field of fields) {
      const bad = way(field, good);
      if (bad) return [bad];
    }
    return [];
  });
}

type Mutation = (field: DataAttribute, good: readonly RequestAttributeDto[]) => BadValues | undefined;

/** Replaces the content of one attribute in the valid values. */
const withContent = (
  field: DataAttribute,
  good: readonly RequestAttributeDto[],
  data: RequestAttributeDto['content'][number]['data'],
): RequestAttributeDto[] => [...good.filter(({ name }) => name !== field.name), valueOf(field, [{ data }])];

const missing: Mutation = ({ name, content = [], properties }, good) => {
  // An absent value may stand for the preset.
  if (!properties.required || properties.readOnly || (content.length > 0 && !properties.list)) return undefined;
  return { what: `attributes without the required ${name}`, values: good.filter((value) => value.name !== name) };
};

const OTHER_FORMS = { integer: 'many', float: 'many', boolean: 'perhaps', date: 'tomorrow', time: 'noon' } as const;

const wrongForm: Mutation = (field, good) => {
  const { contentType, name, properties } = field;
  const data = Object.entries(OTHER_FORMS).find(([type]) => type === contentType)?.[1];
  if (data === undefined || properties.readOnly || properties.list) return undefined;
  return { what: `text in the ${contentType} attribute ${name}`, values: withContent(field, good, data) };
};

const NO_CHOICE = { string: 'no such choice', integer: 987_654_321 } as const;

const unlistedChoice: Mutation = (field, good) => {
  const { contentType, name, properties, content = [] } = field;
  if (!properties.list || content.length === 0 || !(contentType === 'string' || contentType === 'integer'))
    return undefined;
  return {
    what: `an unlisted value of ${name}`,
    values: withContent(field, good, NO_CHOICE[contentType]),
  };
};

const outOfRange: Mutation = (field, good) => {
  for (const constraint of field.constraints ?? []) {
    if (constraint.type !== 'range' || constraint.data === undefined) continue;
    const { from, to } = constraint.data;
    const data = to === undefined ? (from === undefined ? undefined : from - 1) : to + 1;
    // A number beyond the range of the interface would be rejected as malformed.
    if (data !== undefined && Math.abs(data) < 2 ** 31)
      return { what: `an out-of-range value of ${field.name}`, values: withContent(field, good, data) };
  }
  return undefined;
};

const TEXTS = ['§§', '!', 'no match', '0', 'x'.repeat(300)];

const patternMismatch: Mutation = (field, good) => {
  for (const constraint of field.constraints ?? []) {
    if (constraint.type !== 'regExp' || constraint.data === undefined) continue;
    const data = findMismatch(constraint.data);
    if (data !== undefined)
      return {
        what: `a value of ${field.name} that does not match its pattern`,
        values: withContent(field, good, data),
      };
  }
  return undefined;
};

function findMismatch(source: string): string | undefined {
  try {
    const pattern = linearPattern(source);
    return TEXTS.find((text) => !pattern.matches(text));
  } catch (error) {
    // Only the connector can check a pattern in a different dialect.
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

const ways: readonly Mutation[] = [missing, wrongForm, unlistedChoice, outOfRange, patternMismatch];
