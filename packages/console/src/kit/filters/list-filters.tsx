// Filters on all fields of a list's resource: the button, and the dialog, which opens fully once the fields are loaded.
import { Button } from '@mantine/core';
import type { SearchFieldDataByGroupDto } from '@signetry/contract';
import { IconFilter } from '@tabler/icons-react';
import { FormDialogFrame } from '../form-dialog.tsx';
import { QueryView, type QueryLike } from '../query-view.tsx';
import { FilterDialog, type FilterDialogProps } from './filter-dialog.tsx';
import { fieldGroups } from './filter-fields.ts';

export interface FilterButtonProps {
  /** Called on hover or focus, so that the fields can be prefetched. */
  readonly onApproach: () => void;
  readonly onOpen: () => void;
}

export function FilterButton({ onApproach, onOpen }: FilterButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={<IconFilter size={16} aria-hidden="true" />}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      onClick={onOpen}
    >
      Filter
    </Button>
  );
}

export interface ListFiltersProps extends Omit<FilterDialogProps, 'groups'> {
  readonly fields: QueryLike<readonly SearchFieldDataByGroupDto[]>;
}

/** Render this only while the dialog is open. */
export function ListFilters({ fields, ...dialog }: ListFiltersProps) {
  if (fields.data === undefined)
    return (
      <FormDialogFrame title="Filters" onClose={dialog.onClose}>
        <QueryView of={fields} what="the fields">
          {() => null}
        </QueryView>
      </FormDialogFrame>
    );
  return <FilterDialog {...dialog} groups={fieldGroups(fields.data)} />;
}
