import { eventFeedOperations } from '@signetry/contract';
import { answer, routes, type Route } from '../../platform/http/routes.ts';
import type { FeedService } from './service.ts';

export const changeFeedRoutes = (service: FeedService): readonly Route[] =>
  routes(eventFeedOperations, {
    listEvents: ({ query, context }) => service.list(query, context),
    streamEvents: async ({ query, context }) =>
      // Proxies that buffer responses would delay events.
      answer(await service.stream(query, context), { 'x-accel-buffering': 'no' }),
  });
