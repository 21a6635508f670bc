// Queries for the overview. The figures are exact counts, however many certificates there are.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Nested under the certificates key, so that any certificate change refetches the figures. */
const ALL = ['certificates', 'statistics'] as const;

export const statisticsQuery = (includeArchived = false) =>
  queryOptions({
    queryKey: [...ALL, 'dashboard', includeArchived],
    queryFn: ({ signal }) => api.statistics.getStatistics({ query: { includeArchived } }, { signal }),
  });

export const breakdownQuery = (includeArchived = false) =>
  queryOptions({
    queryKey: [...ALL, 'breakdown', includeArchived],
    queryFn: ({ signal }) =>
      api.certificateStatistics.getCertificateBreakdown({ query: { includeArchived } }, { signal }),
  });

export const expiringQuery = (includeArchived = false) =>
  queryOptions({
    queryKey: [...ALL, 'expiring', includeArchived],
    queryFn: ({ signal }) =>
      api.certificateStatistics.listExpiringCertificateCounts({ query: { step: 'day', includeArchived } }, { signal }),
  });
