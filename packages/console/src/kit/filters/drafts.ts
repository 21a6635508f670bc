// Filters being edited. Each has a field, a condition, and values in the form its editor uses. Pure.
import type { FilterConditionOperator, SearchFilterRequestDto } from '@signetry/contract';
import { keyOf, type FilterField } from './filter-fields.ts';

/** Input control for a value. */
export type Editor =
  'none' | 'texts' | 'pattern' | 'choices' | 'number' | 'count' | 'boolean' | 'date' | 'time' | 'datetime' | 'period';

export interface Draft {
  /** Unique within the dialog. */
  readonly id: number;
  /** Undefined until a field is chosen. */
  readonly field: FilterField | undefined;
  /** Filter taken from a link whose field does not exist. */
  readonly unknown?: SearchFilterRequestDto;
  readonly condition: FilterConditionOperator;
  /** One or more values, as sent to the platform. */
  readonly values: readonly Value[];
}

export type Value = string | number | boolean;

const bySpecialCondition: Partial<Readonly<Record<FilterConditionOperator, Editor>>> = {
  EMPTY: 'none',
  NOT_EMPTY: 'none',
  IN_NEXT: 'period',
  IN_PAST: 'period',
  MATCHES: 'pattern',
  NOT_MATCHES: 'pattern',
  COUNT_EQUAL: 'count',
  COUNT_NOT_EQUAL: 'count',
  COUNT_GREATER_THAN: 'count',
  COUNT_LESS_THAN: 'count',
};

export function editorOf(
  { type, attributeContentType }: Pick<FilterField, 'type' | 'attributeContentType'>,
  condition: FilterConditionOperator,
): Editor {
  const special = bySpecialCondition[condition];
  if (special) return special;
  if (type === 'list') return 'choices';
  if (type === 'string') return 'texts';
  // The platform uses one field type for date, time and datetime attributes.
  if (type === 'date' && attributeContentType === 'time') return 'time';
  if (type === 'date' && attributeContentType === 'datetime') return 'datetime';
  return type;
}

/** Initial values for each editor. */
const initial: Partial<Readonly<Record<Editor, readonly Value[]>>> = {
  boolean: [true],
  period: ['P30D'],
  count: [0],
};

export const withField = (draft: Draft, field: FilterField): Draft => {
  const [first = 'EQUALS'] = field.conditions;
  return { id: draft.id, field, condition: first, values: initial[editorOf(field, first)] ?? [] };
};

/** Changes the condition. The values are kept if the new condition uses the same editor. */
export function withCondition(draft: Draft, condition: FilterConditionOperator): Draft {
  if (!draft.field) return draft;
  const next = editorOf(draft.field, condition);
  const stays = next === editorOf(draft.field, draft.condition);
  return { ...draft, condition, values: stays ? draft.values : (initial[next] ?? []) };
}

export const emptyDraft = (id: number): Draft => ({ id, field: undefined, condition: 'EQUALS', values: [] });

/** Returns the same drafts with up-to-date field definitions. */
export const refreshFields = (drafts: readonly Draft[], fields: readonly FilterField[]): readonly Draft[] =>
  drafts.map((draft) => {
    const field = fields.find(({ key }) => key === draft.field?.key);
    return field ? { ...draft, field } : draft;
  });

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export function draftsOf(filters: readonly SearchFilterRequestDto[], fields: readonly FilterField[]): readonly Draft[] {
  return filters.map((filter, id) => {
    const field = fields.find(({ key }) => key === keyOf(filter));
    const { condition, value } = filter;
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    return { id, field, condition, values: given.filter(isValue), ...(field ? {} : { unknown: filter }) };
  });
}

/** Returns a message describing the missing input, or undefined if the draft is complete. */
export function problemOfDraft({ field, unknown, condition, values }: Draft): string | undefined {
  if (unknown) return 'This field no longer exists. Remove the filter or choose a different field.';
  if (!field) return 'Choose a field.';
  const editor = editorOf(field, condition);
  if (editor === 'none') return undefined;
  if (values.length > 0 && values.every((value) => value !== '')) return undefined;
  return missing[editor];
}

const missing: Readonly<Record<Exclude<Editor, 'none'>, string>> = {
  texts: 'Enter a value.',
  pattern: 'Enter a regular expression.',
  choices: 'Choose at least one value.',
  number: 'Enter a number.',
  count: 'Enter a number.',
  boolean: 'Choose yes or no.',
  date: 'Enter a date.',
  time: 'Enter a time.',
  datetime: 'Enter a date and time.',
  period: 'Enter a period.',
};

/** Returns the filter for a draft, which must have no problems. */
export function filterOf({ field, condition, values }: Draft): SearchFilterRequestDto {
  if (!field) throw new Error('The filter has no field.');
  const { source: fieldSource, fieldIdentifier } = field;
  const editor = editorOf(field, condition);
  const filter = { fieldSource, fieldIdentifier, condition };
  if (editor === 'none') return filter;
  if (editor === 'choices' || values.length > 1) return { ...filter, value: [...values] };
  return { ...filter, value: values[0] };
}

/**
 * Assigns the problems reported by the platform to filters by index. A problem begins with the field's name (`KEY_SIZE:
 * the value must be a number`); if multiple filters use the field, it is shown at each of them.
 */
export function problemsByIndex(
  filters: readonly Pick<SearchFilterRequestDto, 'fieldIdentifier'>[],
  problems: readonly string[],
): { readonly at: ReadonlyMap<number, string>; readonly rest: readonly string[] } {
  const at = new Map<number, string>();
  const rest = problems.filter((problem) => {
    const places = filters.flatMap(({ fieldIdentifier }, place) =>
      problem.startsWith(`${fieldIdentifier}: `) ? [place] : [],
    );
    for (const place of places) at.set(place, toSentence(problem.slice(problem.indexOf(': ') + 2)));
    return places.length === 0;
  });
  return { at, rest };
}

const toSentence = (text: string): string => {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
};
