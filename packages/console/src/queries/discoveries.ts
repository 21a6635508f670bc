// Queries for the discovery pages. Running discoveries are polled.
import type { DiscoveryProgress, DiscoveryStatus, SearchFilterRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { listingQuery, type Listing } from '../kit/filters/listing.ts';
import type { FoundSearch } from './discovery-search.ts';

const POLL_MS = 1_000;
export const FOUND_PER_PAGE = 25;

/** Discovery as returned by the platform. */
export type DiscoveryDetail = Awaited<ReturnType<typeof api.discoveries.getDiscovery>>;
type DiscoveryPage = Awaited<ReturnType<typeof api.discoveries.listDiscoveries>>;
export type ListedDiscovery = DiscoveryPage['discoveries'][number];

export const discoveryListing: Listing<DiscoveryPage> = {
  resource: 'discoveries',
  nameField: 'DISCOVERY_NAME',
  list: (body, signal) => api.discoveries.listDiscoveries({ body }, { signal }),
  fields: (signal) => api.discoveries.getDiscoverySearchFields({}, { signal }),
  isUnderWay: ({ discoveries }) => discoveries.some(({ endTime }) => !endTime),
};

const inDiscoveryStatus = (...statuses: readonly DiscoveryStatus[]): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier: 'DISCOVERY_STATUS',
  condition: 'EQUALS',
  value: [...statuses],
});

export const runningDiscoveries = [inDiscoveryStatus('inProgress', 'processing')];

/** Older failures were probably handled already or are no longer relevant. */
export const FAILED_WITHIN_DAYS = 30;
export const lastFailedDiscoveries: readonly SearchFilterRequestDto[] = [
  inDiscoveryStatus('failed'),
  {
    fieldSource: 'property',
    fieldIdentifier: 'DISCOVERY_START_TIME',
    condition: 'IN_PAST',
    value: `P${FAILED_WITHIN_DAYS}D`,
  },
];

const ended: SearchFilterRequestDto = {
  fieldSource: 'property',
  fieldIdentifier: 'DISCOVERY_END_TIME',
  condition: 'NOT_EMPTY',
};

/** The most recently completed discovery. */
export const lastEndedDiscoveryQuery = queryOptions({
  ...listingQuery(discoveryListing, { filters: [ended] }, 1),
  select: ({ discoveries: [last] }: DiscoveryPage): ListedDiscovery | null => last ?? null,
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

interface ResultsRequest {
  readonly uuid: string;
  readonly search: FoundSearch;
  /** Whether the list is still growing. */
  readonly isRunning: boolean;
}

const pageOf = ({ page = 1 }: FoundSearch) => ({ itemsPerPage: FOUND_PER_PAGE, pageNumber: page });

export const foundQuery = ({ uuid, search, isRunning }: ResultsRequest) =>
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

export const findingsQuery = ({ uuid, search, isRunning }: ResultsRequest) =>
  queryOptions({
    queryKey: ['discoveries', 'one', uuid, 'findings', search],
    queryFn: async ({ signal }) => {
      const query = pageOf(search);
      const { findings, ...paging } = await api.discoveryRuns.listDiscoveryFindings(
        { params: { uuid }, query },
        { signal },
      );
      return { ...paging, findings: findings.map((each) => ({ ...each, uuid: `${each.page} ${each.place}` })) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? 2 * POLL_MS : false,
  });

export const differenceQuery = ({ uuid, search }: Omit<ResultsRequest, 'isRunning'>) =>
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
