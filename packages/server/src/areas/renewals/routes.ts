// Operations of automatic renewal, an extension of the API specification.
import {
  automaticRenewalOperations,
  renewalLimitOperations,
  renewalSimulationOperations,
  renewalSettingsOperations,
  unattendedCertificateOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { createSimulation } from './simulation.ts';
import type { RenewalService } from './service.ts';
import type { createUnattended } from './unattended.ts';

export interface RenewalHandlers {
  readonly service: RenewalService;
  readonly unattended: ReturnType<typeof createUnattended>;
  readonly simulate: ReturnType<typeof createSimulation>;
}

export const renewalRoutes = ({ service, unattended, simulate }: RenewalHandlers): readonly Route[] => [
  ...routes(automaticRenewalOperations, {
    getAutomaticRenewal: ({ params }) => service.settings(params.raProfileUuid),
    setAutomaticRenewal: ({ params, body, context }) => service.set(params.raProfileUuid, body, context),
    listAutomaticRenewals: ({ params, query: { state, ...page } }) =>
      service.list({ raProfileUuid: params.raProfileUuid, state, page }),
  }),
  ...routes(renewalSettingsOperations, {
    getRenewalSettings: () => service.platform(),
    setRenewalSettings: ({ body, context }) => service.pause(body, context),
  }),
  ...routes(renewalLimitOperations, {
    getRenewalLimit: ({ params }) => service.limit(params.authorityUuid),
    setRenewalLimit: ({ params, body, context }) => service.setLimit(params.authorityUuid, body, context),
  }),
  ...routes(unattendedCertificateOperations, {
    getCertificateRenewalHistory: ({ params, context }) => unattended.history(params.uuid, context),
    listUnattendedCertificates: ({ query, context }) => unattended.list(query, context),
  }),
  ...routes(renewalSimulationOperations, {
    simulateRenewals: ({ body, context }) => simulate(body, context),
  }),
];
