// API operations on sealing keys.
import { keysAtRestOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { KeysAtRestService } from './service.ts';

export const keysAtRestRoutes = (service: KeysAtRestService): readonly Route[] =>
  routes(keysAtRestOperations, {
    getKeysAtRest: () => service.describe(),
    rotateKeysAtRest: ({ body, context }) => service.rotate(body, context),
  });
