// Inventory filters over all certificate fields.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListFilters } from '../../kit/filters/list-filters.tsx';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { certificateListQuery } from '../../queries/certificates.ts';
import { certificateFieldsQuery } from '../../queries/search-fields.ts';
import { codeTexts } from './filter-text.ts';

export interface CertificateFiltersProps {
  readonly search: CertificateSearch;
  /** Index of the filter being edited; undefined when adding one. */
  readonly place: number | undefined;
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
  readonly onClose: () => void;
}

export function CertificateFilters({ search, ...dialog }: CertificateFiltersProps) {
  const queries = useQueryClient();
  const { filters = [], page: _page, ...others } = search;
  return (
    <ListFilters
      {...dialog}
      fields={useQuery(certificateFieldsQuery)}
      filters={filters}
      codeWords={codeTexts}
      ask={(next) =>
        queries.fetchQuery(certificateListQuery(next.length === 0 ? others : { ...others, filters: next }))
      }
    />
  );
}
