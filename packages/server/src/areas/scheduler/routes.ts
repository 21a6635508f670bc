// API operations on scheduled jobs.
import { scheduledJobOperations, scheduledJobRunOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { SchedulerService } from './service.ts';

export const schedulerRoutes = (service: SchedulerService): readonly Route[] => [
  ...routes(scheduledJobOperations, {
    listScheduledJobs: ({ query, context }) => service.list(query, context),
    getScheduledJobDetail: ({ params }) => service.detail(params.uuid),
    updateScheduledJob: async ({ params, body, context }) => {
      await service.setExpression(params.uuid, body.cronExpression, context);
      return service.detail(params.uuid);
    },
    deleteScheduledJob: ({ params, context }) => service.remove(params.uuid, context),
    getScheduledJobHistory: ({ params, query }) => service.history(params.uuid, query),
    enableScheduledJob: ({ params, context }) => service.enable(params.uuid, context),
    disableScheduledJob: ({ params, context }) => service.disable(params.uuid, context),
  }),
  ...routes(scheduledJobRunOperations, {
    listScheduledJobOverviews: ({ query, context }) => service.overviews(query, context),
    getScheduledJobOverview: ({ params }) => service.overview(params.uuid),
    runScheduledJob: async ({ params, context }) => {
      await service.run(params.uuid, context);
      return service.overview(params.uuid);
    },
    explainCronExpression: ({ body }) => Promise.resolve(service.explain(body)),
  }),
];
