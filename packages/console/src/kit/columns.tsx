// Columns that most lists share.
import { Text } from '@mantine/core';
import { ObjectLink } from '../ui/object-link.tsx';
import { EnabledState } from '../ui/state.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { ObjectPaths } from './paths.ts';
import type { FullListColumn } from './full-list.tsx';

/** Returns a column that shows the name as a link to the object, with an optional second line. */
export const nameColumn = <Row extends { readonly uuid: string; readonly name: string }>(
  paths: ObjectPaths,
  detailOf?: (row: Row) => string | undefined,
): FullListColumn<Row> => ({
  key: 'name',
  title: 'Name',
  by: ({ name }) => name,
  cell: (row) => <ObjectLink to={paths.one(row.uuid)} name={row.name} detail={detailOf?.(row)} />,
});

export const enabledColumn = <Row extends { readonly enabled: boolean }>(): FullListColumn<Row> => ({
  key: 'state',
  title: 'State',
  by: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
  cell: ({ enabled }) => <EnabledState enabled={enabled} />,
});

/** Returns a text column that is hidden on narrow screens. */
export const textColumn = <Row,>(
  key: string,
  title: string,
  textOf: (row: Row) => string | undefined,
): FullListColumn<Row> => ({
  key,
  title,
  minor: true,
  by: (row) => textOf(row) ?? '',
  cell: (row) => textOf(row) ?? '–',
});

export interface NamedReference {
  /** Absent if the object was removed. */
  readonly uuid: string | undefined;
  readonly name: string | undefined;
}

/** Returns a column that links to a related object. */
export const linkColumn = <Row,>(
  key: string,
  title: string,
  { paths, of }: { readonly paths: ObjectPaths; readonly of: (row: Row) => NamedReference },
): FullListColumn<Row> => ({
  key,
  title,
  minor: true,
  by: (row) => of(row).name ?? '',
  cell: (row) => {
    const { uuid, name } = of(row);
    if (uuid !== undefined) return <TextLink to={paths.one(uuid)}>{name}</TextLink>;
    return (
      <Text size="sm" c="dimmed">
        removed
      </Text>
    );
  },
});
