// Callback operations of the API.
import { callbackOperations, FunctionGroupCode } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import { requirePermission } from '../identity/index.ts';
import type { Parents } from './parents.ts';
import type { CallbackService } from './service.ts';

export interface CallbackRouteParts {
  readonly service: CallbackService;
  readonly parents: Parents;
}

export const callbackRoutes = ({ service, parents }: CallbackRouteParts): readonly Route[] =>
  routes(callbackOperations, {
    connectorCallback: async ({ params, body, context }) => {
      const functionGroup = FunctionGroupCode.safeParse(params.functionGroup);
      if (!functionGroup.success) throw rejected('The function group does not exist.');
      const { uuid: connectorUuid, kind } = params;
      const source = await service.sourceOfKind({ connectorUuid, functionGroup: functionGroup.data, kind }, context);
      return service.call(source, body, context);
    },
    resourceCallback: async ({ params, body, context }) => {
      const parent = parents.require(params.resource);
      const { parentObjectUuid } = params;
      requirePermission(context, { resource: parent.resource, action: 'ANY', objects: [parentObjectUuid] });
      return service.call(await parent.source(parentObjectUuid, context), body, context);
    },
  });
