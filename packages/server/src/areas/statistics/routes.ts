// API operations on statistics: the dashboard from the API specification, and our own operations.
import {
  certificateStatisticsOperations,
  inventoryStatisticsOperations,
  statisticsOperations,
} from '@signetry/contract';
import { runAsWork } from '../../platform/database/query-limits.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { InventoryStatistics } from './inventory-service.ts';
import type { StatisticsService } from './service.ts';

export const statisticsRoutes = (service: StatisticsService, inventory: InventoryStatistics): readonly Route[] => [
  ...routes(statisticsOperations, {
    getStatistics: ({ query, context }) => service.dashboard(query, context),
  }),
  ...routes(certificateStatisticsOperations, {
    getCertificateBreakdown: ({ query, context }) => service.breakdown(query, context),
    listIssuedCertificateCounts: ({ query, context }) => service.issued(query, context),
    listExpiringCertificateCounts: ({ query, context }) => service.expiring(query, context),
    rebuildStatistics: ({ context }) => runAsWork('long', () => service.rebuild(context)),
  }),
  ...routes(inventoryStatisticsOperations, {
    getCertificateComposition: ({ query, context }) => inventory.composition(query, context),
    getRenewalHealth: ({ query, context }) => inventory.renewals(query, context),
    listEndedCertificates: ({ query, context }) => inventory.ended(query, context),
  }),
];
