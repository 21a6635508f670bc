import { eventFeedOperations } from '@signetry/contract';
import { respondWith, routes, type Route } from '../../platform/http/routes.ts';
import type { FeedService } from './service.ts';

export const changeFeedRoutes = (service: FeedService): readonly Route[] =>
  routes(eventFeedOperations, {
    listEvents: ({ query, context }) => service.list(query, context),
    streamEvents: async ({ query, context }) =>
      // Proxies that buffer responses would delay events.
      respondWith(await service.stream(query, context), { 'x-accel-buffering': 'no' }),
  });
