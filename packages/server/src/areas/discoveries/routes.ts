// Discovery operations.
import { discoveryOperations, discoveryRunOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Differences } from './difference.ts';
import type { DiscoveryProgressReads } from './progress.ts';
import type { ScheduleDiscovery } from './schedule.ts';
import type { DiscoveryService } from './service.ts';

export interface DiscoveryRouteParts {
  readonly service: DiscoveryService;
  readonly schedule: ScheduleDiscovery;
  readonly progress: DiscoveryProgressReads;
  readonly difference: Differences;
}

export const discoveryRoutes = ({ service, schedule, progress, difference }: DiscoveryRouteParts): readonly Route[] => [
  ...routes(discoveryOperations, {
    listDiscoveries: ({ body, context }) => service.list(body, context),
    getDiscoverySearchFields: ({ context }) => service.searchFields(context),
    createDiscovery: async ({ body, context }) => ({ uuid: await service.create(body, context) }),
    scheduleDiscovery: async ({ body, context }) => ({ uuid: await schedule(body, context) }),
    getDiscovery: ({ params, context }) => service.detail(params.uuid, context),
    getDiscoveryCertificates: ({ params, query }) => service.certificates(params.uuid, query),
    deleteDiscovery: ({ params, context }) => service.remove(params.uuid, context),
    bulkDeleteDiscovery: async ({ body, context }) => {
      await service.removeMany(body, context);
    },
  }),
  ...routes(discoveryRunOperations, {
    getDiscoveryProgress: ({ params }) => progress.progress(params.uuid),
    stopDiscovery: ({ params, context }) => progress.stop(params.uuid, context),
    resumeDiscovery: ({ params, context }) => progress.resume(params.uuid, context),
    listDiscoveryFindings: ({ params, query }) => progress.findings(params.uuid, query),
    getDiscoveryDifference: ({ params, query, context }) => difference(params.uuid, query, context),
  }),
];
