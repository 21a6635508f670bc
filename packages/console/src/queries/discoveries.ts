// Queries of the pages of discoveries. While one runs, it is asked for again and again.
import type { DiscoveryProgress, SearchFilterRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { DiscoverySearch, FoundSearch } from './discovery-search.ts';

const POLL_MS = 1_000;
export const DISCOVERIES_PER_PAGE = 50;
export const FOUND_PER_PAGE = 25;

/** As the platform answers them. */
export type DiscoveryDetail = Awaited<ReturnType<typeof api.discoveries.getDiscovery>>;
export type ListedDiscovery = Awaited<ReturnType<typeof api.discoveries.listDiscoveries>>['discoveries'][number];

export const discoveryListQuery = (search: DiscoverySearch, itemsPerPage = DISCOVERIES_PER_PAGE) =>
  queryOptions({
    queryKey: ['discoveries', 'list', search, itemsPerPage],
    queryFn: ({ signal }) =>
      api.discoveries.listDiscoveries(
        { body: { filters: filtersOf(search), pageNumber: search.page ?? 1, itemsPerPage } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.discoveries.some(({ endTime }) => !endTime) === true ? 2 * POLL_MS : false,
  });

/** The interface has no free text for discoveries: a text is looked for in their names. */
const filtersOf = ({ text, filters = [] }: DiscoverySearch): SearchFilterRequestDto[] => [
  ...filters,
  ...(text === undefined
    ? []
    : [{ fieldSource: 'property', fieldIdentifier: 'DISCOVERY_NAME', condition: 'CONTAINS', value: text } as const]),
];

export const discoveryFieldsQuery = queryOptions({
  queryKey: ['discoveries', 'fields'],
  queryFn: ({ signal }) => api.discoveries.getDiscoverySearchFields({}, { signal }),
  staleTime: 60_000,
});

export const discoveryQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['discoveries', 'one', uuid],
    queryFn: ({ signal }) => api.discoveries.getDiscovery({ params: { uuid } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && !data.endTime ? 2 * POLL_MS : false),
  });

export const progressQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['discoveries', 'one', uuid, 'progress'],
    queryFn: ({ signal }): Promise<DiscoveryProgress> =>
      api.discoveryRuns.getDiscoveryProgress({ params: { uuid } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.phase === 'ended' ? false : POLL_MS),
  });

interface Listed {
  readonly uuid: string;
  readonly search: FoundSearch;
  /** The list grows. */
  readonly isRunning: boolean;
}

const pageOf = ({ page = 1 }: FoundSearch) => ({ itemsPerPage: FOUND_PER_PAGE, pageNumber: page });

export const foundQuery = ({ uuid, search, isRunning }: Listed) =>
  queryOptions({
    queryKey: ['discoveries', 'one', uuid, 'found', search],
    queryFn: ({ signal }) =>
      api.discoveries.getDiscoveryCertificates(
        {
          params: { uuid },
          query: {
            ...pageOf(search),
            ...((search.view === 'new' || search.view === 'known') && { newlyDiscovered: search.view === 'new' }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? 2 * POLL_MS : false,
  });

export const findingsQuery = ({ uuid, search, isRunning }: Listed) =>
  queryOptions({
    queryKey: ['discoveries', 'one', uuid, 'findings', search],
    queryFn: async ({ signal }) => {
      const query = pageOf(search);
      const { findings, ...paging } = await api.discoveryRuns.listDiscoveryFindings({ params: { uuid }, query }, { signal }); // prettier-ignore
      return { ...paging, findings: findings.map((each) => ({ ...each, uuid: `${each.page} ${each.place}` })) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? 2 * POLL_MS : false,
  });

export const differenceQuery = ({ uuid, search }: Omit<Listed, 'isRunning'>) =>
  queryOptions({
    queryKey: ['discoveries', 'one', uuid, 'difference', search],
    queryFn: ({ signal }) =>
      api.discoveryRuns.getDiscoveryDifference(
        {
          params: { uuid },
          query: {
            ...pageOf(search),
            ...(search.with !== undefined && { with: search.with }),
            ...(search.change && { change: search.change }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
