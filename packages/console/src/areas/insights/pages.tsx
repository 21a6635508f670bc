// Page navigation for a list below a chart.
import { Button, Group, Text } from '@mantine/core';
import { useSearchChange } from '../../kit/use-list-search.ts';
import type { InsightsSearch } from './insights-search.ts';

export function Pages({ page, hasMore }: { readonly page: number; readonly hasMore: boolean }) {
  const change = useSearchChange<InsightsSearch>();
  if (!hasMore && page === 1) return null;
  return (
    <Group justify="flex-end" px="1.25rem" py="sm">
      <Button
        size="xs"
        variant="default"
        disabled={page === 1}
        onClick={() => change({ page: page > 2 ? page - 1 : undefined })}
      >
        Previous page
      </Button>
      <Text size="sm">Page {page}</Text>
      <Button size="xs" variant="default" disabled={!hasMore} onClick={() => change({ page: page + 1 })}>
        Next page
      </Button>
    </Group>
  );
}
