// The filters of a list by all fields of its resource: the button, and the dialog once the fields are known.
import { Button } from '@mantine/core';
import type { SearchFieldDataByGroupDto } from '@signetry/contract';
import { IconFilter } from '@tabler/icons-react';
import { FormDialogFrame } from '../form-dialog.tsx';
import { Reading, type Readable } from '../reading.tsx';
import { FilterDialog, type FilterDialogProps } from './filter-dialog.tsx';
import { fieldGroups } from './filter-fields.ts';

export interface FilterButtonProps {
  /** The pointer or the focus is on it: the fields may be fetched. */
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
  readonly fields: Readable<readonly SearchFieldDataByGroupDto[]>;
}

/** Rendered only while it is open. */
export function ListFilters({ fields, ...dialog }: ListFiltersProps) {
  if (fields.data === undefined)
    return (
      <FormDialogFrame title="Filters" onClose={dialog.onClose}>
        <Reading of={fields} what="the fields">
          {() => null}
        </Reading>
      </FormDialogFrame>
    );
  return <FilterDialog {...dialog} groups={fieldGroups(fields.data)} />;
}
