// Operations of automatic renewal, an extension of the API specification.
import {
  automaticRenewalOperations,
  renewalLimitOperations,
  renewalRehearsalOperations,
  renewalSettingsOperations,
  unattendedCertificateOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { createRehearsal } from './rehearsal.ts';
import type { RenewalService } from './service.ts';
import type { createUnattended } from './unattended.ts';

export interface RenewalHandlers {
  readonly service: RenewalService;
  readonly unattended: ReturnType<typeof createUnattended>;
  readonly rehearse: ReturnType<typeof createRehearsal>;
}

export const renewalRoutes = ({ service, unattended, rehearse }: RenewalHandlers): readonly Route[] => [
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
  ...routes(renewalRehearsalOperations, {
    rehearseRenewals: ({ body, context }) => rehearse(body, context),
  }),
];
