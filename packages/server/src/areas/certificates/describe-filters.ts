// Filters, and the search that they belong to, as the data of an audit record.
import type { CertificateChoice, SearchFilterRequestDto } from '@signetry/contract';

/** They are repeated only while they are about as short as a person writes them. */
const MAX_DESCRIBED_FILTERS = 2_000;

export const describeFilters = (filters: readonly SearchFilterRequestDto[]): object =>
  JSON.stringify(filters).length <= MAX_DESCRIBED_FILTERS ? { filters } : { filterCount: filters.length };

export const describeChoice = ({ filters, text, includeArchived }: CertificateChoice): object => ({
  ...(filters && describeFilters(filters)),
  ...(text && { text }),
  ...(includeArchived && { includeArchived }),
});
