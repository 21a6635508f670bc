// `--filter FIELD=VALUE` for lists, with search fields specified by their API names.
import { propertyFields, type SearchFilterRequestDto } from '@signetry/contract';
import { findNearest } from '@signetry/server/nearest';
import { usageError } from '../failures.ts';

export type Filter = SearchFilterRequestDto;

type SearchedResource = keyof typeof propertyFields;

/** Returns a function that builds filters on a resource's fields. */
export const fieldOf =
  <Of extends SearchedResource>(_of: Of) =>
  (fieldIdentifier: keyof (typeof propertyFields)[Of] & string, test: Pick<Filter, 'condition' | 'value'>): Filter => ({
    fieldSource: 'property',
    fieldIdentifier,
    ...test,
  });

/**
 * Returns the filter for FIELD=VALUE, or undefined if the text does not name a field. Strings match as substrings;
 * values of all other types must be equal.
 */
export function fieldFilter(
  of: SearchedResource,
  { text, objects }: { readonly text: string; readonly objects: string },
): Filter | undefined {
  const [, given, value = ''] = /^([A-Z][A-Z_]+)=(.*)$/s.exec(text) ?? [];
  if (given === undefined) return undefined;
  const fields = propertyFields[of] as Readonly<Record<string, { readonly type: string }>>;
  const field = Object.hasOwn(fields, given) ? fields[given] : undefined;
  if (!field) {
    const names = Object.keys(fields);
    const guess = findNearest(given, names);
    throw usageError(
      `${objects} have no field ${given}.`,
      `${guess === undefined ? '' : `Did you mean ${guess}? `}Fields: ${names.join(', ')}.`,
    );
  }
  const test = field.type === 'string' ? { condition: 'CONTAINS', value } : { condition: 'EQUALS', value: [value] };
  return { fieldSource: 'property', fieldIdentifier: given, ...test } as Filter;
}
