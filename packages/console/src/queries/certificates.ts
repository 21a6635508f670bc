// Queries for the certificate pages.
import type { CertificateDto, CertificateSelection } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { attributesOf, DEFAULT_SIZE, type CertificateSearch } from './certificate-search.ts';

/** Returns a list's selection, regardless of the page. */
export const selectionOf = ({ text, filters, sort, direction, archived }: CertificateSearch): CertificateSelection => ({
  ...(text === undefined ? {} : { text }),
  ...(filters === undefined ? {} : { filters: [...filters] }),
  ...(sort === undefined ? {} : { sort: [{ field: sort, direction: direction ?? 'asc' }] }),
  ...(archived === undefined ? {} : { includeArchived: archived }),
});

/** Returns the attributes shown in the selected columns. */
const shownAttributesOf = ({ columns }: CertificateSearch): Pick<CertificateSelection, 'attributes'> => {
  const attributes = attributesOf(columns);
  return attributes.length === 0 ? {} : { attributes };
};

/** Returns the selection for exporting a list. */
export const exportOf = (search: CertificateSearch): CertificateSelection => ({
  ...selectionOf(search),
  ...shownAttributesOf(search),
});

export const certificateListQuery = (search: CertificateSearch) =>
  queryOptions({
    queryKey: ['certificates', 'list', listCriteriaOf(search), shownAttributesOf(search)],
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

/** Drops the columns and the view name, because they do not affect the response, except for attribute columns. */
const listCriteriaOf = ({ columns: _columns, view: _view, ...search }: CertificateSearch): CertificateSearch => search;

/** Query for the command palette. */
export const certificateSearchQuery = (text: string, count: number) => certificateListQuery({ text, size: count });

/**
 * Number of matching certificates. It may be a lower bound, because the platform stops counting if an exact count would
 * take long.
 */
export const certificateCountQuery = (search: Pick<CertificateSearch, 'filters' | 'archived'>) =>
  queryOptions({
    ...certificateListQuery({ ...search, size: 1 }),
    select: ({ totalItems }): number => totalItems,
  });

export const certificateQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificates', 'one', uuid],
    queryFn: ({ signal }) => api.certificates.getCertificate({ params: { uuid } }, { signal }),
    // Polled while the certificate is being issued or revoked, and less often while it awaits approval.
    refetchInterval: ({ state: { data } }) =>
      isUnderWay(data?.state) ? 2_000 : data?.state === 'pending_approval' ? 10_000 : false,
  });

export const isUnderWay = (state: string | undefined): boolean =>
  state === 'requested' || state === 'pending_issue' || state === 'pending_revoke';

/** Not refetched, because a certificate's content never changes. */
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

/** Each request triggers a new validation, so it is sent only if the status shows a problem, or on demand. */
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
