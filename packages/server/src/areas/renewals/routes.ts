// Operations of automatic renewal, which the published interface does not have.
import { automaticRenewalOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { RenewalService } from './service.ts';

export const renewalRoutes = (service: RenewalService): readonly Route[] =>
  routes(automaticRenewalOperations, {
    getAutomaticRenewal: ({ params }) => service.settings(params.raProfileUuid),
    setAutomaticRenewal: ({ params, body, context }) => service.set(params.raProfileUuid, body, context),
    listAutomaticRenewals: ({ params, query: { state, ...page } }) =>
      service.list({ raProfileUuid: params.raProfileUuid, state, page }),
  });
