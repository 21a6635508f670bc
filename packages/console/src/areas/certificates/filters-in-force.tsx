// The filters that no chip shows, each with a button that opens it and one that removes it: links bring filters of any
// kind. What the platform refuses is said at the filter.
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { ApiError } from '@signetry/client';
import { IconX } from '@tabler/icons-react';
import { problemsByPlace } from '../../kit/filters/drafts.ts';
import { findingsOf } from '../../ui/field-problems.ts';
import { wordsOfFilter } from './filter-words.ts';
import classes from './list-page.module.css';
import { isQuickFilter, type FiltersProps } from './quick-filters.tsx';

export interface FiltersInForceProps extends FiltersProps {
  /** Why the list was refused. */
  readonly error: unknown;
  readonly onEdit: (place: number) => void;
}

export function FiltersInForce({ filters, error, onChange, onEdit }: FiltersInForceProps) {
  const problems = problemsByPlace(filters, error instanceof ApiError ? findingsOf(error) : []).at;
  const shown = filters.map((filter, place) => ({ filter, place, words: wordsOfFilter(filter) }));
  const named = shown.filter(({ filter, place }) => !isQuickFilter(filter) || problems.has(place));
  if (named.length === 0) return null;
  return (
    <Group className={classes.inForce} gap="xs" role="group" aria-label="Filters in force">
      <Text size="xs" c="dimmed">
        Only:
      </Text>
      {named.map(({ place, words }) => (
        <div key={place} className={classes.filter} data-bad={problems.has(place) || undefined}>
          <div>
            <Button
              size="compact-sm"
              variant="transparent"
              color="var(--ink)"
              classNames={{ root: classes.filterText ?? '', label: classes.filterLabel ?? '' }}
              aria-label={`Change the filter ${words}`}
              onClick={() => onEdit(place)}
            >
              {words}
            </Button>
            {problems.has(place) && <span className={classes.problem}>{problems.get(place)}</span>}
          </div>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Remove the filter ${words}`}
            onClick={() => onChange(filters.filter((_, each) => each !== place))}
          >
            <IconX size={14} aria-hidden="true" />
          </ActionIcon>
        </div>
      ))}
      {filters.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange([])}>
          Remove all filters
        </Button>
      )}
    </Group>
  );
}
