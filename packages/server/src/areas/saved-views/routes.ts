// API operations on saved views.
import { savedViewOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { SavedViewService } from './service.ts';

export const savedViewRoutes = (service: SavedViewService): readonly Route[] =>
  routes(savedViewOperations, {
    listSavedViews: ({ query, context }) => service.list(query.resource, context),
    createSavedView: ({ body, context }) => service.create(body, context),
    updateSavedView: ({ params, body, context }) => service.update(params.uuid, body, context),
    deleteSavedView: ({ params, context }) => service.remove(params.uuid, context),
  });
