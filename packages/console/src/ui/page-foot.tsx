// The footer of a list: which rows are shown, of how many, and links to the other pages.
import { Group, Pagination, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../format/names.ts';

export interface PageFootProps {
  readonly page: number;
  /** Rows of a full page. */
  readonly size: number;
  readonly totalItems: number;
  readonly totalPages: number;
  /** The platform stopped counting early. */
  readonly isAtLeast?: boolean;
  readonly onPage: (page: number) => void;
  /** Before the links, e.g. the number of rows per page. */
  readonly children?: ReactNode;
}

export function PageFoot(props: PageFootProps) {
  const { page, size, totalItems, totalPages, isAtLeast = false, onPage, children } = props;
  const total = formatCount(totalItems);
  return (
    <Group justify="space-between" px="1.25rem" py="sm">
      <Text size="sm" c="dimmed">
        {formatCount((page - 1) * size + 1)}–{formatCount(Math.min(page * size, totalItems))} of{' '}
        {isAtLeast ? `more than ${total}` : total}
      </Text>
      <Group gap="md">
        {children}
        {totalPages > 1 && (
          <Pagination
            size="sm"
            total={totalPages}
            value={page}
            onChange={onPage}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
      </Group>
    </Group>
  );
}
