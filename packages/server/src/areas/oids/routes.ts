// API operations on object identifiers.
import { oidOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { OidService } from './service.ts';

export const oidRoutes = (service: OidService): readonly Route[] =>
  routes(oidOperations, {
    createCustomOidEntry: ({ body, context }) => service.create(body, context),
    listCustomOidEntries: ({ body }) => service.list(body),
    getOidSearchFields: () => service.searchFields(),
    getCustomOidEntry: ({ params }) => service.detail(params.oid),
    editCustomOidEntry: ({ params, body, context }) => service.update(params.oid, body, context),
    deleteCustomOidEntry: ({ params, context }) => service.remove(params.oid, context),
    bulkDeleteCustomOidEntry: async ({ body, context }) => {
      await service.removeMany(body, context);
    },
  });
