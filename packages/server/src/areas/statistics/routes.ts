// Operations of the statistics: the dashboard of the interface, and our own.
import { certificateStatisticsOperations, statisticsOperations } from '@signetry/contract';
import { asWork } from '../../platform/database/query-limits.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { StatisticsService } from './service.ts';

export const statisticsRoutes = (service: StatisticsService): readonly Route[] => [
  ...routes(statisticsOperations, {
    getStatistics: ({ query, context }) => service.dashboard(query, context),
  }),
  ...routes(certificateStatisticsOperations, {
    getCertificateBreakdown: ({ query, context }) => service.breakdown(query, context),
    listIssuedCertificateCounts: ({ query, context }) => service.issued(query, context),
    listExpiringCertificateCounts: ({ query, context }) => service.expiring(query, context),
    rebuildStatistics: ({ context }) => asWork('long', () => service.rebuild(context)),
  }),
];
