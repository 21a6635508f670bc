// Filter fields that the platform offers for a list, with names in the console's spelling.
import {
  propertyFields,
  type FilterableResource,
  type SearchFieldDataByGroupDto,
  type SearchFieldDataDto,
  type SearchFilterRequestDto,
} from '@signetry/contract';
import { capitalize } from '../../format/names.ts';

type Source = SearchFilterRequestDto['fieldSource'];

export interface FilterField extends SearchFieldDataDto {
  readonly source: Source;
  /** Unique among all fields of the list. */
  readonly key: string;
  readonly name: string;
}

/** Group of fields in a select. */
export interface FieldGroup {
  readonly group: string;
  readonly fields: readonly FilterField[];
}

/** Labels of the groups, in display order. */
const groupNames: Readonly<Record<Source, string>> = {
  property: 'Properties',
  custom: 'Custom attributes',
  data: 'Issuance attributes',
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
        .map((field) => toFilterField(source, field)),
    }))
    .filter(({ fields }) => fields.length > 0);

const toFilterField = (source: Source, field: SearchFieldDataDto): FilterField => ({
  ...field,
  source,
  key: keyOf({ fieldSource: source, fieldIdentifier: field.fieldIdentifier }),
  // User-defined labels keep their spelling.
  name: source === 'property' ? sentenceCase(field.fieldLabel) : field.fieldLabel,
});

/** Converts a label to sentence case, such as `RA profile` or `Subject DN`. Abbreviations keep their case. */
const sentenceCase = (label: string): string =>
  capitalize(
    label
      .split(' ')
      .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
      .join(' '),
  );

/** Returns the name of a filter's field, even if the platform does not offer the field. */
export function nameOfField(
  resource: FilterableResource,
  { fieldSource, fieldIdentifier }: Pick<SearchFilterRequestDto, 'fieldSource' | 'fieldIdentifier'>,
): string {
  const known: Readonly<Record<string, { readonly label: string }>> = propertyFields[resource];
  if (fieldSource === 'property' && Object.hasOwn(known, fieldIdentifier))
    return sentenceCase(known[fieldIdentifier]?.label ?? '');
  // The identifier has the form `name|CONTENTTYPE`.
  return fieldSource === 'property' ? fieldIdentifier : fieldIdentifier.replace(/\|[A-Z]+$/, '');
}
