// Group operations.
import { groupOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { GroupService } from './service.ts';

export const groupRoutes = (service: GroupService): readonly Route[] =>
  routes(
    groupOperations,
    {
      listGroups: () => service.list(),
      createGroup: async ({ body, context }) => ({ uuid: await service.create(body, context) }),
      getGroup: ({ params, context }) => service.detail(params.uuid, context),
      editGroup: ({ params, body, context }) => service.update(params.uuid, body, context),
      deleteGroup: ({ params, context }) => service.remove(params.uuid, context),
      bulkDeleteGroup: async ({ body, context }) => {
        await service.removeMany(body, context);
      },
    },
    { editGroup: ({ uuid }) => service.require(uuid) },
  );
