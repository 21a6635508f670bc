// `--filter FIELD=VALUE` of lists: the fields of the interface's searches by their names there.
import { propertyFields, type SearchFilterRequestDto } from '@signetry/contract';
import { nearest } from '@signetry/server/nearest';
import { wrongUsage } from '../failures.ts';

export type Filter = SearchFilterRequestDto;

type Searched = keyof typeof propertyFields;

/** Makes filters by fields of these objects. */
export const fieldOf =
  <Of extends Searched>(_of: Of) =>
  (fieldIdentifier: keyof (typeof propertyFields)[Of] & string, test: Pick<Filter, 'condition' | 'value'>): Filter => ({
    fieldSource: 'property',
    fieldIdentifier,
    ...test,
  });

/** Texts match anywhere, everything else must be equal. Nothing where the text names no field. */
export function fieldFilter(
  of: Searched,
  { text, objects }: { readonly text: string; readonly objects: string },
): Filter | undefined {
  const [, given, value = ''] = /^([A-Z][A-Z_]+)=(.*)$/s.exec(text) ?? [];
  if (given === undefined) return undefined;
  const fields = propertyFields[of] as Readonly<Record<string, { readonly type: string }>>;
  const field = Object.hasOwn(fields, given) ? fields[given] : undefined;
  if (!field) {
    const names = Object.keys(fields);
    const guess = nearest(given, names);
    throw wrongUsage(
      `${objects} have no field ${given}.`,
      `${guess === undefined ? '' : `Did you mean ${guess}? `}Fields: ${names.join(', ')}.`,
    );
  }
  const test = field.type === 'string' ? { condition: 'CONTAINS', value } : { condition: 'EQUALS', value: [value] };
  return { fieldSource: 'property', fieldIdentifier: given, ...test } as Filter;
}
