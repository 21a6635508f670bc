// Operations of the statistics: the dashboard of the interface, and our own.
import { certificateStatisticsOperations, statisticsOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { StatisticsService } from './service.ts';

export const statisticsRoutes = (service: StatisticsService): readonly Route[] => [
  ...routes(statisticsOperations, {
    getStatistics: ({ query, context }) => service.dashboard(archiveOf(query), context),
  }),
  ...routes(certificateStatisticsOperations, {
    getCertificateBreakdown: ({ query }) => service.breakdown(archiveOf(query)),
    listIssuedCertificateCounts: ({ query }) => service.issued(archiveOf(query)),
    listExpiringCertificateCounts: ({ query }) => service.expiring(archiveOf(query), query),
    rebuildStatistics: ({ context }) => service.rebuild(context),
  }),
];

const archiveOf = ({ includeArchived = false }: { readonly includeArchived?: boolean | undefined }) => ({
  includeArchived,
});
