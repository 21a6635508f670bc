// Statistics of certificates, exact at any moment and quick in an inventory of a million: counters instead of counting.
// Owns: certificate_count, certificate_expiry_day, certificate_expiry_hour, certificate_count_delta,
// certificate_group_delta. Triggers on certificate and group_membership write the deltas. Invariants: whatever changes
// a certificate or a membership commits its delta with it; counters plus deltas are what GROUP BY would say in the same
// snapshot.
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createCounterUpkeep } from './counter-upkeep.ts';
import { createFolder } from './folder.ts';
import { createInventoryStatistics } from './inventory-service.ts';
import { statisticsRoutes } from './routes.ts';
import { createStatisticsService } from './service.ts';

export function createStatisticsArea(platform: Platform, areas: { readonly audit: AuditTrail }): Area {
  const folder = createFolder(platform);
  return {
    routes: statisticsRoutes(createStatisticsService(platform, areas), createInventoryStatistics(platform)),
    derivedData: [createCounterUpkeep(platform)],
    start: async () => folder.start(),
    stop: () => folder.stop(),
  };
}
