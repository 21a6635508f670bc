// Certificate statistics that are always exact, and fast even with a million certificates, because they use counters
// instead of counting rows. Owns: certificate_count, certificate_expiry_day, certificate_expiry_hour,
// certificate_count_delta, certificate_group_delta. Triggers on certificate and group_membership write the deltas.
// Invariants: every change to a certificate or a membership is committed together with its delta; counters plus deltas
// equal the result of GROUP BY in the same snapshot.
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
