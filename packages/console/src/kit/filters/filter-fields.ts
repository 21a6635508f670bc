// The fields that a list can be filtered by, as the platform answers them, under names in the console's spelling.
import {
  propertyFields,
  type FilterableResource,
  type SearchFieldDataByGroupDto,
  type SearchFieldDataDto,
  type SearchFilterRequestDto,
} from '@signetry/contract';
import { capitalized } from '../../format/names.ts';

type Source = SearchFilterRequestDto['fieldSource'];

export interface FilterField extends SearchFieldDataDto {
  readonly source: Source;
  /** Tells the field from all others of the list. */
  readonly key: string;
  readonly name: string;
}

/** A kind of fields, for a select. */
export interface FieldGroup {
  readonly group: string;
  readonly fields: readonly FilterField[];
}

/** In the order offered. */
const groupNames: Readonly<Record<Source, string>> = {
  property: 'Properties',
  custom: 'Custom attributes',
  data: 'Attributes of issuing',
  meta: 'Metadata',
};

export const keyOf = ({
  fieldSource,
  fieldIdentifier,
}: Pick<SearchFilterRequestDto, 'fieldSource' | 'fieldIdentifier'>) => `${fieldSource} ${fieldIdentifier}`;

export const fieldGroups = (answer: readonly SearchFieldDataByGroupDto[]): readonly FieldGroup[] =>
  (Object.keys(groupNames) as Source[])
    .map((source) => ({
      group: groupNames[source],
      fields: answer
        .filter(({ filterFieldSource }) => filterFieldSource === source)
        .flatMap(({ searchFieldData = [] }) => searchFieldData)
        .map((field) => named(source, field)),
    }))
    .filter(({ fields }) => fields.length > 0);

const named = (source: Source, field: SearchFieldDataDto): FilterField => ({
  ...field,
  source,
  key: keyOf({ fieldSource: source, fieldIdentifier: field.fieldIdentifier }),
  // Whoever defined an attribute chose the spelling of its label.
  name: source === 'property' ? sentenceCase(field.fieldLabel) : field.fieldLabel,
});

/** `RA profile`, `Subject DN`: abbreviations stay as they are. */
const sentenceCase = (label: string): string =>
  capitalized(
    label
      .split(' ')
      .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
      .join(' '),
  );

/** The name of the field of a filter, also of one that the platform does not have. */
export function nameOfField(
  resource: FilterableResource,
  { fieldSource, fieldIdentifier }: Pick<SearchFilterRequestDto, 'fieldSource' | 'fieldIdentifier'>,
): string {
  const known: Readonly<Record<string, { readonly label: string }>> = propertyFields[resource];
  if (fieldSource === 'property' && Object.hasOwn(known, fieldIdentifier))
    return sentenceCase(known[fieldIdentifier]?.label ?? '');
  // `name|CONTENTTYPE`
  return fieldSource === 'property' ? fieldIdentifier : fieldIdentifier.replace(/\|[A-Z]+$/, '');
}
