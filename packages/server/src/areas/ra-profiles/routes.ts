// API operations on RA profiles.
import { raProfileApprovalOperations, raProfileOperations, type RaProfileDto } from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { ApprovalProfileOfRaProfile } from './approval-profile.ts';
import type { createCaCertificates } from './ca-certificates.ts';
import type { IssuingProfiles } from './issuing-profiles.ts';
import type { RaProfileService } from './service.ts';

export interface RaProfileRouteParts {
  readonly service: RaProfileService;
  readonly profiles: IssuingProfiles;
  readonly caCertificates: ReturnType<typeof createCaCertificates>;
  readonly approvalProfile: ApprovalProfileOfRaProfile;
}

export const raProfileRoutes = (parts: RaProfileRouteParts): readonly Route[] => [
  ...ownRoutes(parts),
  ...approvalProfileRoutes(parts),
];

const approvalProfileRoutes = ({ approvalProfile }: RaProfileRouteParts): readonly Route[] =>
  routes(raProfileApprovalOperations, {
    getAssociatedApprovalProfiles: ({ params }) => approvalProfile.list(params),
    associateRAProfileWithApprovalProfile: ({ params, context }) =>
      approvalProfile.associate(params, params.approvalProfileUuid, context),
    disassociateRAProfileFromApprovalProfile: ({ params, context }) =>
      approvalProfile.disassociate(params, params.approvalProfileUuid, context),
  });

const ownRoutes = ({ service, profiles, caCertificates }: RaProfileRouteParts): readonly Route[] =>
  routes(raProfileOperations, {
    listRaProfiles: async ({ query, context }) => filterByAuthority(await service.list(query), context),
    createRaProfile: async ({ params, body, context }) => ({
      uuid: await service.create(params.authorityUuid, body, context),
    }),
    getRaProfile: ({ params, context }) => service.detail(params, context),
    getRaProfileWithoutAuthority: ({ params, context }) => service.detail(params, context),
    editRaProfile: ({ params, body, context }) => service.edit(params, body, context),
    deleteRaProfile: ({ params, context }) => service.remove(params, context).then(() => undefined),
    deleteRaProfileWithoutAuthority: ({ params, context }) => service.remove(params, context).then(() => undefined),
    bulkDeleteRaProfile: ({ body, context }) => service.removeMany(body, context).then(() => undefined),
    enableRaProfile: ({ params, context }) => service.setEnabled(params, true, context).then(() => undefined),
    disableRaProfile: ({ params, context }) => service.setEnabled(params, false, context).then(() => undefined),
    bulkEnableRaProfile: ({ body, context }) => service.setEnabledMany(body, true, context).then(() => undefined),
    bulkDisableRaProfile: ({ body, context }) => service.setEnabledMany(body, false, context).then(() => undefined),
    listRaProfileIssueCertificateAttributes: async ({ params }) =>
      profiles.certificateDefinitions(await profiles.forIssuing(params.authorityUuid, params.raProfileUuid), 'issue'),
    listRaProfileRevokeCertificateAttributes: async ({ params }) =>
      profiles.certificateDefinitions(await profiles.forUpkeep(params.raProfileUuid, params.authorityUuid), 'revoke'),
    getAuthorityCertificateChain: async ({ params, context }) => {
      const { uuid } = await service.require(params);
      return caCertificates.list(uuid, context);
    },
    updateRaProfileValidationConfiguration: ({ params, body, context }) => service.setValidation(params, body, context),
  });

/** Profiles without an authority are shown only to callers who can list all authorities. */
function filterByAuthority(profiles: readonly RaProfileDto[], { actor }: RequestContext): RaProfileDto[] {
  const filter = visibleObjects(actor.permissions, 'authorities', 'list');
  return profiles.filter(({ authorityInstanceUuid: uuid }) =>
    uuid === undefined ? filter.kind === 'all' : isVisible(filter, uuid),
  );
}
