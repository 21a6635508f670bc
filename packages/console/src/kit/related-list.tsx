// Panel that lists objects related to the displayed object.
import { Group, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../ui/panel.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { QueryView, type QueryLike } from './query-view.tsx';

export interface RelatedListProps<Row> {
  readonly title: string;
  readonly query: QueryLike<readonly Row[]>;
  /** For use within a sentence, e.g. `RA profiles`. */
  readonly what: string;
  readonly linkOf: (row: Row) => string;
  /** Shown next to the name, e.g. a state. */
  readonly mark?: (row: Row) => ReactNode;
  readonly empty: ReactNode;
  readonly actions?: ReactNode;
}

export function RelatedList<Row extends { readonly uuid: string; readonly name: string }>(
  props: RelatedListProps<Row>,
) {
  const { title, query, what, linkOf, mark, empty, actions } = props;
  return (
    <Panel title={title} actions={actions}>
      <QueryView of={query} what={what} empty={<Text c="dimmed">{empty}</Text>}>
        {(rows) => (
          <List
            listStyleType="none"
            spacing="xs"
            styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
          >
            {rows.map((row) => (
              <List.Item key={row.uuid}>
                <Group justify="space-between" gap="xs">
                  <TextLink to={linkOf(row)}>{row.name}</TextLink>
                  {mark?.(row)}
                </Group>
              </List.Item>
            ))}
          </List>
        )}
      </QueryView>
    </Panel>
  );
}

/** Filters a list query with a predicate that selects the rows belonging to an object. */
export const filterRows = <Row,>(
  query: QueryLike<readonly Row[]>,
  belongs: (row: Row) => boolean,
): QueryLike<readonly Row[]> => ({
  data: query.data?.filter(belongs),
  error: query.error,
  refetch: () => query.refetch(),
});
