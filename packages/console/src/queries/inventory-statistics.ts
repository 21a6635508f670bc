// Queries for the insights pages. The platform caches figures that are expensive to calculate and returns the time of
// calculation.
import type { RenewalOutcome, RenewalSimulationRequest, UnattendedReason } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Nested under the certificates key, so that any certificate change refetches the figures. */
const ALL = ['certificates', 'statistics'] as const;

export const compositionQuery = (includeArchived: boolean) =>
  queryOptions({
    queryKey: [...ALL, 'composition', includeArchived],
    queryFn: ({ signal }) =>
      api.inventoryStatistics.getCertificateComposition({ query: { includeArchived } }, { signal }),
  });

export const renewalsQuery = (includeArchived: boolean) =>
  queryOptions({
    queryKey: [...ALL, 'renewals', includeArchived],
    queryFn: ({ signal }) => api.inventoryStatistics.getRenewalHealth({ query: { includeArchived } }, { signal }),
  });

const ENDED_PER_PAGE = 25;

export interface ExpiredSearch {
  readonly outcome: RenewalOutcome;
  readonly includeArchived: boolean;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly page: number;
}

export const expiredQuery = ({ page, ...search }: ExpiredSearch) =>
  queryOptions({
    queryKey: [...ALL, 'ended', search, page],
    queryFn: ({ signal }) =>
      api.inventoryStatistics.listEndedCertificates(
        { query: { ...search, pageNumber: page, itemsPerPage: ENDED_PER_PAGE } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

const UNATTENDED_PER_PAGE = 25;

export interface UnattendedSearch {
  readonly days: number;
  readonly reason?: UnattendedReason | undefined;
  readonly page: number;
}

export const unattendedQuery = ({ page, ...search }: UnattendedSearch) =>
  queryOptions({
    queryKey: [...ALL, 'unattended', search, page],
    queryFn: ({ signal }) =>
      api.unattendedCertificates.listUnattendedCertificates(
        { query: { ...search, pageNumber: page, itemsPerPage: UNATTENDED_PER_PAGE } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const simulationQuery = (body: RenewalSimulationRequest) =>
  queryOptions({
    queryKey: [...ALL, 'simulation', body],
    queryFn: ({ signal }) => api.renewalSimulation.simulateRenewals({ body }, { signal }),
    placeholderData: keepPreviousData,
    // Refreshed on request, not in the background while the user is reading.
    staleTime: 60_000,
  });
