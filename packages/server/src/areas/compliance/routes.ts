// Compliance operations, v1 and v2.
import {
  certificateComplianceOperations,
  complianceOperations,
  complianceProfileOperations,
  complianceRunOperations,
  legacyComplianceProfileOperations,
  raProfileComplianceOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Associations } from './associations.ts';
import type { CheckService } from './checks.ts';
import type { InternalRules } from './internal-rules.ts';
import type { LegacyProfiles } from './legacy.ts';
import type { ComplianceProgress } from './progress.ts';
import type { ProfileService } from './profiles.ts';
import type { RuleCatalog } from './rule-catalog.ts';

interface Parts {
  readonly service: ProfileService;
  readonly internal: InternalRules;
  readonly catalogue: RuleCatalog;
  readonly associations: Associations;
  readonly checks: CheckService;
  readonly progress: ComplianceProgress;
  readonly legacy: LegacyProfiles;
}

export const complianceRoutes = (parts: Parts): readonly Route[] => [
  ...profileRoutes(parts),
  ...checkRoutes(parts),
  ...legacyRoutes(parts),
];

const profileRoutes = ({ service, internal, catalogue, associations }: Parts) =>
  routes(
    complianceProfileOperations,
    {
      listComplianceProfilesV2: () => service.list(),
      createComplianceProfileV2: ({ body, context }) => service.create(body, context),
      getComplianceProfileV2: ({ params, context }) => service.detail(params.uuid, context),
      updateComplianceProfileV2: ({ params, body, context }) => service.update(params.uuid, body, context),
      deleteComplianceProfileV2: ({ params, context }) => service.remove(params.uuid, context),
      bulkDeleteComplianceProfilesV2: ({ body, context }) => service.removeMany(body, { context, force: false }),
      forceDeleteComplianceProfilesV2: ({ body, context }) => service.removeMany(body, { context, force: true }),
      patchComplianceProfileRulesV2: ({ params, body, context }) => service.patchRule(params.uuid, body, context),
      patchComplianceProfileGroupsV2: ({ params, body, context }) => service.patchGroup(params.uuid, body, context),
      getComplianceRulesV2: ({ query, context }) => catalogue.rules(query, context),
      getComplianceGroupsV2: ({ query, context }) => catalogue.groups(query, context),
      getComplianceGroupRulesV2: ({ params, query, context }) => catalogue.groupRules(params.groupUuid, query, context),
      createComplianceInternalRuleV2: ({ body, context }) => internal.create(body, context),
      updateComplianceInternalRuleV2: ({ params, body, context }) =>
        internal.update(params.internalRuleUuid, body, context),
      deleteComplianceInternalRuleV2: ({ params, context }) => internal.remove(params.internalRuleUuid, context),
      getAssociationsV2: ({ params }) => associations.list(params.uuid),
      getAssociatedComplianceProfilesV2: ({ params }) =>
        associations.listOf(params.resource, params.associationObjectUuid),
      associateComplianceProfileV2: ({ params, context }) =>
        associations.associate(params.uuid, [objectOf(params)], context),
      disassociateComplianceProfileV2: ({ params, context }) =>
        associations.disassociate(params.uuid, [objectOf(params)], context),
    },
    { updateComplianceInternalRuleV2: ({ internalRuleUuid }) => internal.require(internalRuleUuid) },
  );

const objectOf = <R>(params: { readonly resource: R; readonly associationObjectUuid: string }) => ({
  resource: params.resource,
  uuid: params.associationObjectUuid,
});

const checkRoutes = ({ checks, progress, legacy }: Parts) => [
  ...routes(complianceRunOperations, {
    listComplianceRuns: ({ query }) => progress.list(query),
    getComplianceRun: ({ params }) => progress.one(params.runUuid),
    stopComplianceRun: ({ params, context }) => progress.stop(params.runUuid, context),
  }),
  ...routes(complianceOperations, {
    checkComplianceV2: ({ query, body, context }) => checks.checkProfiles(body, query, context),
    checkResourceObjectsComplianceV2: ({ params, body, context }) =>
      checks.checkObjects(params.resource, body, context),
    checkResourceObjectComplianceV2: ({ params, context }) =>
      checks.checkObjects(params.resource, [params.objectUuid], context),
    getComplianceCheckResultV2: ({ params, context }) => checks.result(params.resource, params.objectUuid, context),
  }),
  ...routes(raProfileComplianceOperations, {
    getAssociatedComplianceProfiles: ({ params }) => legacy.listOfRaProfile(params),
    checkRaProfileCompliance: ({ body, context }) => checks.checkObjects('raProfiles', body, context),
  }),
  ...routes(certificateComplianceOperations, {
    checkCertificatesCompliance: ({ body, context }) =>
      checks.checkObjects('certificates', body.certificateUuids ?? [], context),
  }),
];

const legacyRoutes = ({ service, associations, checks, legacy }: Parts) =>
  routes(legacyComplianceProfileOperations, {
    listComplianceProfiles: () => legacy.list(),
    createComplianceProfile: async ({ body, context }) => ({ uuid: await legacy.create(body, context) }),
    getComplianceProfile: ({ params, context }) => legacy.detail(params.uuid, context),
    deleteComplianceProfile: ({ params, context }) => service.remove(params.uuid, context),
    bulkDeleteComplianceProfiles: ({ body, context }) => service.removeMany(body, { context, force: false }),
    forceDeleteComplianceProfiles: ({ body, context }) => service.removeMany(body, { context, force: true }),
    getComplianceRules: ({ query: { certificateType: types, ...query }, context }) =>
      legacy.rules(query, { types, context }),
    getComplianceGroups: ({ query, context }) => legacy.groups(query, context),
    addRule: ({ params, body, context }) => legacy.addRule(params.uuid, body, context),
    removeRule: ({ params, body, context }) => legacy.removeRule(params.uuid, body, context),
    addGroup: ({ params, body, context }) => legacy.patchGroup(params.uuid, body, { removal: false, context }),
    removeGroup: ({ params, body, context }) => legacy.patchGroup(params.uuid, body, { removal: true, context }),
    getAssociatedRAProfiles: ({ params }) => legacy.listRaProfiles(params.uuid),
    associateProfiles: ({ params, body, context }) => associations.associate(params.uuid, raProfilesOf(body), context),
    disassociateProfiles: ({ params, body, context }) =>
      associations.disassociate(params.uuid, raProfilesOf(body), context),
    checkCompliance: ({ body, context }) => checks.checkProfiles(body, { resource: 'certificates' }, context),
  });

const raProfilesOf = ({ raProfileUuids }: { readonly raProfileUuids: readonly string[] }) =>
  raProfileUuids.map((uuid) => ({ resource: 'raProfiles' as const, uuid: uuid.toLowerCase() }));
