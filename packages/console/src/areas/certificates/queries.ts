// What the pages of certificates ask the platform for.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { DEFAULT_SIZE, type CertificateSearch } from './list-search.ts';

const textFilter = (text: string): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier: /^[0-9a-f:]{16,}$/i.test(text) ? 'SERIAL_NUMBER' : 'COMMON_NAME',
  condition: 'CONTAINS',
  value: /^[0-9a-f:]{16,}$/i.test(text) ? text.replaceAll(':', '').toLowerCase() : text,
});

export const certificateListQuery = (search: CertificateSearch) =>
  queryOptions({
    queryKey: ['certificates', 'list', search],
    queryFn: ({ signal }) =>
      api.certificates.listCertificates(
        {
          body: {
            filters: [...(search.filters ?? []), ...(search.text ? [textFilter(search.text)] : [])],
            pageNumber: search.page ?? 1,
            itemsPerPage: search.size ?? DEFAULT_SIZE,
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** For the search that is everywhere. */
export const certificateSearchQuery = (text: string, count: number) =>
  queryOptions({
    queryKey: ['certificates', 'search', text],
    queryFn: ({ signal }) =>
      api.certificates.listCertificates(
        { body: { filters: text === '' ? [] : [textFilter(text)], pageNumber: 1, itemsPerPage: count } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const certificateQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'one', uuid],
    queryFn: ({ signal }) => api.certificates.getCertificate({ params: { uuid } }, { signal }),
    // A certificate that is on its way is looked at until it is there.
    refetchInterval: (query) => (isUnderWay(query.state.data?.state) ? 2_000 : false),
  });

export const isUnderWay = (state: string | undefined): boolean =>
  state === 'requested' || state === 'pending_issue' || state === 'pending_revoke';

export const historyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'history', uuid],
    queryFn: ({ signal }) => api.certificates.getCertificateEventHistory({ params: { uuid } }, { signal }),
  });

export const chainQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'chain', uuid],
    queryFn: ({ signal }) =>
      api.certificates.getCertificateChain({ params: { uuid }, query: { withEndCertificate: true } }, { signal }),
  });
