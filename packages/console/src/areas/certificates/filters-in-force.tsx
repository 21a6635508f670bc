// The filters that no chip shows, each with a button that removes it: links bring filters of any kind.
import { Button, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { wordsOfFilter } from './filter-words.ts';
import classes from './list-page.module.css';
import { isQuickFilter, type FiltersProps } from './quick-filters.tsx';

export function FiltersInForce({ filters, onChange }: FiltersProps) {
  const shown = filters.filter((filter) => !isQuickFilter(filter));
  if (shown.length === 0) return null;
  return (
    <Group className={classes.inForce} gap="xs" role="group" aria-label="Filters in force">
      <Text size="xs" c="dimmed">
        Only:
      </Text>
      {shown.map((filter) => {
        const words = wordsOfFilter(filter);
        return (
          <Button
            key={words}
            size="compact-sm"
            variant="default"
            classNames={{ root: classes.filter ?? '', label: classes.filterLabel ?? '' }}
            rightSection={<IconX size={14} aria-hidden="true" />}
            aria-label={`Remove the filter ${words}`}
            onClick={() => onChange(filters.filter((each) => each !== filter))}
          >
            {words}
          </Button>
        );
      })}
      {filters.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange([])}>
          Remove all filters
        </Button>
      )}
    </Group>
  );
}
