// Operations of the statistics: the dashboard of the interface, and our own.
import { certificateStatisticsOperations, statisticsOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { StatisticsService } from './service.ts';

export const statisticsRoutes = (service: StatisticsService): readonly Route[] => [
  ...routes(statisticsOperations, {
    getStatistics: ({ query, context }) => service.dashboard(query, context),
  }),
  ...routes(certificateStatisticsOperations, {
    getCertificateBreakdown: ({ query }) => service.breakdown(query),
    listIssuedCertificateCounts: ({ query }) => service.issued(query),
    listExpiringCertificateCounts: ({ query }) => service.expiring(query),
    rebuildStatistics: ({ context }) => service.rebuild(context),
  }),
];
