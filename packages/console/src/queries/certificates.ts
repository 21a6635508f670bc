// Queries of the certificate pages.
import type { CertificateDto, CertificateSelection } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { DEFAULT_SIZE, type CertificateSearch } from './certificate-search.ts';

/** What is listed, on whichever page. */
export const selectionOf = ({ text, filters, sort, direction }: CertificateSearch): CertificateSelection => ({
  ...(text === undefined ? {} : { text }),
  ...(filters === undefined ? {} : { filters: [...filters] }),
  ...(sort === undefined ? {} : { sort: [{ field: sort, direction: direction ?? 'asc' }] }),
});

export const certificateListQuery = (search: CertificateSearch) =>
  queryOptions({
    queryKey: ['certificates', 'list', listed(search)],
    queryFn: ({ signal }) =>
      api.certificateSearch.searchCertificates(
        {
          body: {
            ...selectionOf(search),
            pageNumber: search.page ?? 1,
            itemsPerPage: search.size ?? DEFAULT_SIZE,
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** The platform answers the same whichever columns are shown. */
const listed = ({ columns: _columns, ...search }: CertificateSearch): CertificateSearch => search;

/** For the command palette. */
export const certificateSearchQuery = (text: string, count: number) => certificateListQuery({ text, size: count });

/** How many there are; the answer may stop at a number above which counting takes long. */
export const certificateCountQuery = (search: Pick<CertificateSearch, 'filters'>) =>
  queryOptions({
    ...certificateListQuery({ ...search, size: 1 }),
    select: ({ totalItems }): number => totalItems,
  });

export const certificateQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'one', uuid],
    queryFn: ({ signal }) => api.certificates.getCertificate({ params: { uuid } }, { signal }),
    // Polled while the certificate is being issued or revoked.
    refetchInterval: (query) => (isUnderWay(query.state.data?.state) ? 2_000 : false),
  });

export const isUnderWay = (state: string | undefined): boolean =>
  state === 'requested' || state === 'pending_issue' || state === 'pending_revoke';

export const historyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'history', uuid],
    queryFn: ({ signal }) => api.certificates.getCertificateEventHistory({ params: { uuid } }, { signal }),
  });

/** The platform validates anew, so it is asked only where something is amiss, or on request. */
export const validationQuery = ({ uuid, validationStatus }: Pick<CertificateDto, 'uuid' | 'validationStatus'>) =>
  queryOptions({
    queryKey: ['certificates', 'validation', uuid],
    queryFn: async ({ signal, client }) => {
      const result = await api.certificates.getCertificateValidationResult({ params: { uuid } }, { signal });
      if (result.resultStatus !== validationStatus)
        void client.invalidateQueries({ queryKey: certificateQuery(uuid).queryKey });
      return result;
    },
    staleTime: 60_000,
  });

export const chainQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'chain', uuid],
    queryFn: ({ signal }) =>
      api.certificates.getCertificateChain({ params: { uuid }, query: { withEndCertificate: true } }, { signal }),
  });
