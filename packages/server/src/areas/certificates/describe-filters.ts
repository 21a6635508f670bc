// Converts filters, and the search that they belong to, to audit record data.
import type { CertificateChoice, SearchFilterRequestDto } from '@signetry/contract';

/** Maximum length of filters copied to the audit record; about what a user would enter. */
const MAX_DESCRIBED_FILTERS = 2_000;

export const describeFilters = (filters: readonly SearchFilterRequestDto[]): object =>
  JSON.stringify(filters).length <= MAX_DESCRIBED_FILTERS ? { filters } : { filterCount: filters.length };

export const describeChoice = ({ filters, text, includeArchived }: CertificateChoice): object => ({
  ...(filters && describeFilters(filters)),
  ...(text && { text }),
  ...(includeArchived && { includeArchived }),
});
