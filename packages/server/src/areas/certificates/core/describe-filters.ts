// Filters as the data of an audit record.
import type { SearchFilterRequestDto } from '@signetry/contract';

/** They are repeated only while they are about as short as a person writes them. */
const MAX_DESCRIBED_FILTERS = 2_000;

export const describeFilters = (filters: readonly SearchFilterRequestDto[]): object =>
  JSON.stringify(filters).length <= MAX_DESCRIBED_FILTERS ? { filters } : { filterCount: filters.length };
