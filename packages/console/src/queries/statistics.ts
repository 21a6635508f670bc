// Queries of the overview. The figures come from exact counters, however many certificates there are.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Below the key of certificates, so that any change of one fetches the figures again. */
const ALL = ['certificates', 'statistics'] as const;

export const statisticsQuery = queryOptions({
  queryKey: [...ALL, 'dashboard'],
  queryFn: ({ signal }) => api.statistics.getStatistics({ query: {} }, { signal }),
});

export const breakdownQuery = queryOptions({
  queryKey: [...ALL, 'breakdown'],
  queryFn: ({ signal }) => api.certificateStatistics.getCertificateBreakdown({ query: {} }, { signal }),
});

export const expiringQuery = queryOptions({
  queryKey: [...ALL, 'expiring'],
  queryFn: ({ signal }) =>
    api.certificateStatistics.listExpiringCertificateCounts({ query: { step: 'day' } }, { signal }),
});
