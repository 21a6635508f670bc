// Queries of the certificate pages.
import type { CertificateDto, CertificateSelection } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { attributesOf, DEFAULT_SIZE, type CertificateSearch } from './certificate-search.ts';

/** What is listed, on whichever page. */
export const selectionOf = ({ text, filters, sort, direction, archived }: CertificateSearch): CertificateSelection => ({
  ...(text === undefined ? {} : { text }),
  ...(filters === undefined ? {} : { filters: [...filters] }),
  ...(sort === undefined ? {} : { sort: [{ field: sort, direction: direction ?? 'asc' }] }),
  ...(archived === undefined ? {} : { includeArchived: archived }),
});

/** The values that the chosen columns show. */
const shownIn = ({ columns }: CertificateSearch): Pick<CertificateSelection, 'attributes'> => {
  const attributes = attributesOf(columns);
  return attributes.length === 0 ? {} : { attributes };
};

/** What a file of the list holds. */
export const exportOf = (search: CertificateSearch): CertificateSelection => ({
  ...selectionOf(search),
  ...shownIn(search),
});

export const certificateListQuery = (search: CertificateSearch) =>
  queryOptions({
    queryKey: ['certificates', 'list', listed(search), shownIn(search)],
    queryFn: ({ signal }) =>
      api.certificateSearch.searchCertificates(
        {
          body: {
            ...exportOf(search),
            pageNumber: search.page ?? 1,
            itemsPerPage: search.size ?? DEFAULT_SIZE,
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** The platform answers the same whichever columns are shown, but for those of attributes, and under whatever name. */
const listed = ({ columns: _columns, view: _view, ...search }: CertificateSearch): CertificateSearch => search;

/** For the command palette. */
export const certificateSearchQuery = (text: string, count: number) => certificateListQuery({ text, size: count });

/** How many there are; the answer may stop at a number above which counting takes long. */
export const certificateCountQuery = (search: Pick<CertificateSearch, 'filters' | 'archived'>) =>
  queryOptions({
    ...certificateListQuery({ ...search, size: 1 }),
    select: ({ totalItems }): number => totalItems,
  });

export const certificateQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'one', uuid],
    queryFn: ({ signal }) => api.certificates.getCertificate({ params: { uuid } }, { signal }),
    // Polled while the certificate is being issued or revoked, and now and then while people have to approve that.
    refetchInterval: ({ state: { data } }) =>
      isUnderWay(data?.state) ? 2_000 : data?.state === 'pending_approval' ? 10_000 : false,
  });

export const isUnderWay = (state: string | undefined): boolean =>
  state === 'requested' || state === 'pending_issue' || state === 'pending_revoke';

/** What the certificate says never changes. */
export const parsedQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificate-parsed', uuid],
    queryFn: ({ signal }) => api.certificateParsing.getParsedCertificate({ params: { uuid } }, { signal }),
    staleTime: Infinity,
  });

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
      const { chain } = await api.chainValidation.getChainValidation({ params: { uuid } }, { signal });
      if (chain[0]?.result.resultStatus !== validationStatus)
        void client.invalidateQueries({ queryKey: certificateQuery(uuid).queryKey });
      return chain;
    },
    staleTime: 60_000,
  });

export const lineageQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'lineage', uuid],
    queryFn: ({ signal }) => api.certificateLineage.getCertificateLineage({ params: { uuid } }, { signal }),
  });

export const chainQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'chain', uuid],
    queryFn: ({ signal }) =>
      api.certificates.getCertificateChain({ params: { uuid }, query: { withEndCertificate: true } }, { signal }),
  });
