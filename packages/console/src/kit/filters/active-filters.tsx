// Shows a list's filters or a rule's conditions, each with buttons to edit and remove it. All are shown because links
// can contain any filter. A rejection by the platform is shown at the filter.
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { ApiError } from '@signetry/client';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { IconX } from '@tabler/icons-react';
import { findingsOf } from '../../ui/field-problems.ts';
import { problemsByIndex } from './drafts.ts';
import classes from './filters.module.css';

export interface ActiveFiltersProps {
  readonly filters: readonly SearchFilterRequestDto[];
  readonly wordsOf: (filter: SearchFilterRequestDto) => string;
  /** Returns whether the page already shows the filter elsewhere. */
  readonly isShownElsewhere?: (filter: SearchFilterRequestDto) => boolean;
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
  /** Error from the list request. */
  readonly error: unknown;
  readonly onEdit: (place: number) => void;
  /** Singular, for use within a sentence. */
  readonly one?: 'filter' | 'condition';
}

export function ActiveFilters(props: ActiveFiltersProps) {
  const { filters, wordsOf, isShownElsewhere = () => false, error, onChange, onEdit, one = 'filter' } = props;
  const problems = problemsByIndex(filters, error instanceof ApiError ? findingsOf(error) : []).at;
  const shown = filters.map((filter, place) => ({ filter, place, words: wordsOf(filter) }));
  const named = shown.filter(({ filter, place }) => !isShownElsewhere(filter) || problems.has(place));
  if (named.length === 0) return null;
  return (
    <Group className={classes.inForce} gap="xs" role="group" aria-label={`Active ${one}s`}>
      {one === 'filter' && (
        <Text size="xs" c="dimmed">
          Matching:
        </Text>
      )}
      {named.map(({ place, words }) => (
        <div key={place} className={classes.filter} data-bad={problems.has(place) || undefined}>
          <div>
            <Button
              size="compact-sm"
              variant="transparent"
              color="var(--ink)"
              classNames={{ root: classes.filterText ?? '', label: classes.filterLabel ?? '' }}
              aria-label={`Edit ${one} ${words}`}
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
            aria-label={`Remove ${one} ${words}`}
            onClick={() => onChange(filters.filter((_, each) => each !== place))}
          >
            <IconX size={14} aria-hidden="true" />
          </ActionIcon>
        </div>
      ))}
      {filters.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange([])}>
          Remove all {one}s
        </Button>
      )}
    </Group>
  );
}
