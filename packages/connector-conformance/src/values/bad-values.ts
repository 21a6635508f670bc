// Values that break the definitions of a form, one way at a time.
import { linearPattern, PatternError } from '@signetry/connector-sdk';
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { valueOf } from './make-values.ts';

export interface BadValues {
  /** What is wrong with them, to follow "refuses". */
  readonly what: string;
  readonly values: readonly RequestAttributeDto[];
}

/** For each way in which values of this form can be wrong, the first attribute that can be wrong so. */
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

type Way = (field: DataAttribute, good: readonly RequestAttributeDto[]) => BadValues | undefined;

/** The good values with another content of one attribute. */
const withContent = (
  field: DataAttribute,
  good: readonly RequestAttributeDto[],
  data: RequestAttributeDto['content'][number]['data'],
): RequestAttributeDto[] => [...good.filter(({ name }) => name !== field.name), valueOf(field, [{ data }])];

const missing: Way = ({ name, content = [], properties }, good) => {
  // A preset may be what an absent value stands for.
  if (!properties.required || properties.readOnly || (content.length > 0 && !properties.list)) return undefined;
  return { what: `values without ${name}, which is required`, values: good.filter((value) => value.name !== name) };
};

const OTHER_FORMS = { integer: 'many', float: 'many', boolean: 'perhaps', date: 'tomorrow', time: 'noon' } as const;

const ofOtherForm: Way = (field, good) => {
  const { contentType, name, properties } = field;
  const data = Object.entries(OTHER_FORMS).find(([type]) => type === contentType)?.[1];
  if (data === undefined || properties.readOnly || properties.list) return undefined;
  return { what: `a text for ${name}, which is of the type ${contentType}`, values: withContent(field, good, data) };
};

const NO_CHOICE = { string: 'no such choice', integer: 987_654_321 } as const;

const noChoice: Way = (field, good) => {
  const { contentType, name, properties, content = [] } = field;
  if (!properties.list || content.length === 0 || !(contentType === 'string' || contentType === 'integer'))
    return undefined;
  return {
    what: `a value for ${name} that is none of its choices`,
    values: withContent(field, good, NO_CHOICE[contentType]),
  };
};

const outOfRange: Way = (field, good) => {
  for (const constraint of field.constraints ?? []) {
    if (constraint.type !== 'range' || constraint.data === undefined) continue;
    const { from, to } = constraint.data;
    const data = to === undefined ? (from === undefined ? undefined : from - 1) : to + 1;
    // Beyond the numbers of the interface it would be refused for its form.
    if (data !== undefined && Math.abs(data) < 2 ** 31)
      return { what: `a value for ${field.name} out of its range`, values: withContent(field, good, data) };
  }
  return undefined;
};

const TEXTS = ['§§', '!', 'no match', '0', 'x'.repeat(300)];

const notMatching: Way = (field, good) => {
  for (const constraint of field.constraints ?? []) {
    if (constraint.type !== 'regExp' || constraint.data === undefined) continue;
    const data = firstDiffering(constraint.data);
    if (data !== undefined)
      return {
        what: `a value for ${field.name} that its pattern does not match`,
        values: withContent(field, good, data),
      };
  }
  return undefined;
};

function firstDiffering(source: string): string | undefined {
  try {
    const pattern = linearPattern(source);
    return TEXTS.find((text) => !pattern.matches(text));
  } catch (error) {
    if (error instanceof PatternError) return undefined; // of another dialect: only the connector can tell
    throw error;
  }
}

const ways: readonly Way[] = [missing, ofOtherForm, noChoice, outOfRange, notMatching];
