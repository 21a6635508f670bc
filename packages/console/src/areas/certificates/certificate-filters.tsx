// The filters of the inventory, by all fields that certificates have.
import { Button } from '@mantine/core';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { IconFilter } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FilterDialog } from '../../kit/filters/filter-dialog.tsx';
import { fieldGroups } from '../../kit/filters/filter-fields.ts';
import { FormDialogFrame } from '../../kit/form-dialog.tsx';
import { Reading } from '../../kit/reading.tsx';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { certificateListQuery } from '../../queries/certificates.ts';
import { certificateFieldsQuery } from '../../queries/search-fields.ts';
import { codeWords } from './filter-words.ts';

/** Fetches the fields while the pointer or the focus is on it. */
export function FilterButton({ onOpen }: { readonly onOpen: () => void }) {
  const queries = useQueryClient();
  const prepare = (): void => void queries.prefetchQuery(certificateFieldsQuery);
  return (
    <Button
      variant="default"
      leftSection={<IconFilter size={16} aria-hidden="true" />}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={onOpen}
    >
      Filter
    </Button>
  );
}

export interface CertificateFiltersProps {
  readonly search: CertificateSearch;
  /** Of the filter that is changed; undefined: one is added. */
  readonly place: number | undefined;
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
  readonly onClose: () => void;
}

export function CertificateFilters({ search, place, onChange, onClose }: CertificateFiltersProps) {
  const queries = useQueryClient();
  const fields = useQuery(certificateFieldsQuery);
  const { filters = [], page: _page, ...others } = search;
  if (fields.data === undefined)
    return (
      <FormDialogFrame title="Filters" onClose={onClose}>
        <Reading of={fields} what="the fields">
          {() => null}
        </Reading>
      </FormDialogFrame>
    );
  return (
    <FilterDialog
      groups={fieldGroups(fields.data)}
      filters={filters}
      codeWords={codeWords}
      place={place}
      ask={(next) => queries.fetchQuery(certificateListQuery(next.length === 0 ? others : { ...others, filters: next }))}
      onChange={onChange}
      onClose={onClose}
    />
  );
} // prettier-ignore
