// Pages of a list that came as a whole, so that thousands of rows do not have to be drawn at once.
import { Group, Pagination, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../format/names.ts';

const SIZE = 50;

export function Paged<Row>(props: {
  readonly rows: readonly Row[];
  readonly children: (shown: readonly Row[]) => ReactNode;
}) {
  const { rows, children } = props;
  const [wanted, setWanted] = useState(1);
  const pages = Math.max(1, Math.ceil(rows.length / SIZE));
  const page = Math.min(wanted, pages);
  const start = (page - 1) * SIZE;
  return (
    <>
      {children(rows.slice(start, start + SIZE))}
      {pages > 1 && (
        <Group justify="space-between" px="lg" py="sm">
          <Text size="sm" c="dimmed">
            {formatCount(start + 1)}–{formatCount(Math.min(start + SIZE, rows.length))} of {formatCount(rows.length)}
          </Text>
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={setWanted}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </>
  );
}
