// Queries of the overview. The figures are exact counters, regardless of the number of certificates.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Under the certificates key, so that any certificate change refetches the figures. */
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
