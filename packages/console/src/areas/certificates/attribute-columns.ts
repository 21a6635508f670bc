// Inventory columns for custom attributes and metadata.
import type { ShownAttribute } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime, formatUtcDate } from '../../format/dates.ts';
import { certificateFieldsQuery } from '../../queries/search-fields.ts';
import type { ChoosableColumn } from '../../ui/column-chooser.tsx';
import type { Column } from '../../ui/table.tsx';
import type { ListedCertificate } from './shapes.ts';

/**
 * Returns the available attribute columns. They are fetched only if needed, because the platform searches the inventory
 * for them.
 */
export function useAttributeColumns(isNeeded: boolean): readonly ChoosableColumn[] {
  const { data = [] } = useQuery({ ...certificateFieldsQuery, enabled: isNeeded });
  return data.flatMap(({ filterFieldSource: source, searchFieldData = [] }) =>
    source === 'custom' || source === 'meta'
      ? searchFieldData.map(({ fieldIdentifier, fieldLabel }) => ({
          key: `${source}:${fieldIdentifier}`,
          title: source === 'meta' ? `${fieldLabel} (metadata)` : fieldLabel,
        }))
      : [],
  );
}

export const nameOf = ({ fieldIdentifier }: ShownAttribute): string =>
  fieldIdentifier.slice(0, fieldIdentifier.lastIndexOf('|'));

const made = new Map<string, Column<ListedCertificate>>();

/** Always returns the same object for the same column, so that rows are not rendered again. */
export function attributeColumn(
  key: string,
  attribute: ShownAttribute,
  title: string = nameOf(attribute),
): Column<ListedCertificate> {
  const place = `${key} ${title}`;
  const known = made.get(place);
  if (known) return known;
  const column: Column<ListedCertificate> = {
    key,
    title: visibleText(title),
    minor: true,
    cell: ({ attributes = [] }) =>
      attributes
        .filter((each) => isSame(each, attribute))
        .flatMap(({ values }) => values.map((value) => describeValue(value, attribute)))
        .join(', '),
  };
  made.set(place, column);
  return column;
}

const isSame = (one: ShownAttribute, other: ShownAttribute): boolean =>
  one.fieldSource === other.fieldSource && one.fieldIdentifier === other.fieldIdentifier;

function describeValue(value: string, { fieldIdentifier }: ShownAttribute): string {
  const contentType = fieldIdentifier.slice(fieldIdentifier.lastIndexOf('|') + 1);
  if (contentType === 'BOOLEAN') return value === 'true' ? 'Yes' : 'No';
  const isInstant = (contentType === 'DATE' || contentType === 'DATETIME') && !Number.isNaN(Date.parse(value));
  if (!isInstant) return visibleText(value);
  return contentType === 'DATE' ? formatUtcDate(value) : formatDateTime(value);
}
