// Compliance profiles: rules for certificates, certificate requests and keys. A profile applies to the objects of the
// RA profiles and token profiles that it is associated with.
import { z } from 'zod';
import { ComplianceRuleRequestDto } from '../connector/compliance-v2-shapes.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { description, line, objectName, uuid } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';
import { BulkActionMessageDto, UuidList } from '../shared/objects.ts';
import {
  ComplianceCheckResultDto,
  ComplianceGroupListDto,
  ComplianceProfileDtoV2,
  ComplianceProfileListDto,
  ComplianceRuleListDto,
  ConditionItemRequestDto,
  ResourceObjectDto,
} from './compliance-shapes.ts';
import { Resource } from './resource.ts';
import { raProfileMembership, sightOf } from './referenced-objects.ts';

/** Rules from one connector kind, each with its attribute values, and entire rule groups. */
export const ProviderComplianceRulesRequestDto = z
  .object({
    connectorUuid: uuid(),
    kind: line(),
    rules: z.array(ComplianceRuleRequestDto).optional(),
    groups: z.array(uuid()).optional(),
  })
  .meta({ id: 'ProviderComplianceRulesRequestDto' });
export type ProviderComplianceRulesRequestDto = z.output<typeof ProviderComplianceRulesRequestDto>;

const content = {
  description: description().optional(),
  /** Identifiers of internal rules. */
  internalRules: z.array(uuid()).optional(),
  providerRules: z.array(ProviderComplianceRulesRequestDto).optional(),
  customAttributes: z.array(RequestAttributeDto).optional(),
};

export const ComplianceProfileRequestDtoV2 = z
  .object({ ...content, name: objectName() })
  .meta({ id: 'ComplianceProfileRequestDtoV2' });
export type ComplianceProfileRequestDtoV2 = z.output<typeof ComplianceProfileRequestDtoV2>;

/** Arrays replace the profile's current ones; absent members stay unchanged. */
export const ComplianceProfileUpdateRequestDto = z.object(content).meta({ id: 'ComplianceProfileUpdateRequestDto' });
export type ComplianceProfileUpdateRequestDto = z.output<typeof ComplianceProfileUpdateRequestDto>;

/** A rule that is met if all its conditions are met. `resource` can be certificates, certificateRequests or keys. */
export const ComplianceInternalRuleRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    resource: Resource,
    conditionItems: z.array(ConditionItemRequestDto).min(1),
  })
  .meta({ id: 'ComplianceInternalRuleRequestDto' });
export type ComplianceInternalRuleRequestDto = z.output<typeof ComplianceInternalRuleRequestDto>;

/** Connector and kind are present for provider rules and absent for internal rules. */
export const ComplianceProfileRulesPatchRequestDto = z
  .object({
    removal: z.boolean(),
    ruleUuid: uuid(),
    connectorUuid: uuid().optional(),
    kind: line().optional(),
    attributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ComplianceProfileRulesPatchRequestDto' });
export type ComplianceProfileRulesPatchRequestDto = z.output<typeof ComplianceProfileRulesPatchRequestDto>;

export const ComplianceProfileGroupsPatchRequestDto = z
  .object({ removal: z.boolean(), groupUuid: uuid(), connectorUuid: uuid(), kind: line() })
  .meta({ id: 'ComplianceProfileGroupsPatchRequestDto' });
export type ComplianceProfileGroupsPatchRequestDto = z.output<typeof ComplianceProfileGroupsPatchRequestDto>;

const associated = z.object({ uuid: uuid(), resource: Resource, associationObjectUuid: uuid() });

/**
 * An association affects the compliance of the associated object's certificates or keys, so the caller must also be
 * able to update that object.
 */
const changeOfAssociated = {
  resource: '{resource}',
  action: 'update',
  object: 'associationObjectUuid',
} as const;

/** Permission to see the connector that the query specifies. */
const sightOfNamedConnector = {
  resource: 'connectors',
  action: 'detail',
  where: 'the query specifies a connector, on it',
} as const;

const ofProvider = { connectorUuid: uuid(), kind: line() };

export const complianceProfileOperations = operations(
  {
    tag: 'Compliance Profile Management v2',
    resource: 'complianceProfiles',
    module: 'compliance',
    errors: connectorErrors,
  },
  {
    listComplianceProfilesV2: {
      route: 'GET /v2/complianceProfiles',
      summary: 'List of available Compliance Profiles',
      answer: z.array(ComplianceProfileListDto),
      access: { action: 'list', filtered: true },
    },
    createComplianceProfileV2: {
      route: 'POST /v2/complianceProfiles',
      summary: 'Add Compliance Profile',
      body: ComplianceProfileRequestDtoV2,
      created: ComplianceProfileDtoV2,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'providerRules.connectorUuid')],
      audit: 'create',
    },
    getComplianceProfileV2: {
      route: 'GET /v2/complianceProfiles/{uuid}',
      summary: 'Details of a Compliance Profile',
      answer: ComplianceProfileDtoV2,
      access: { action: 'detail', object: 'uuid' },
    },
    updateComplianceProfileV2: {
      route: 'PUT /v2/complianceProfiles/{uuid}',
      summary: 'Update Compliance Profile',
      body: ComplianceProfileUpdateRequestDto,
      answer: ComplianceProfileDtoV2,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [sightOf('connectors', 'providerRules.connectorUuid')],
      audit: 'update',
    },
    /** Rejected if the profile is associated with an object. */
    deleteComplianceProfileV2: {
      route: 'DELETE /v2/complianceProfiles/{uuid}',
      summary: 'Delete Compliance Profile',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    /** Returns the profiles that were not deleted, with the reasons. */
    bulkDeleteComplianceProfilesV2: {
      route: 'DELETE /v2/complianceProfiles',
      summary: 'Delete multiple Compliance Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    /** Also removes the profiles' associations. */
    forceDeleteComplianceProfilesV2: {
      route: 'DELETE /v2/complianceProfiles/force',
      summary: 'Force delete Compliance Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    patchComplianceProfileRulesV2: {
      route: 'PATCH /v2/complianceProfiles/{uuid}/rules',
      summary: 'Add/remove compliance rule to/from Compliance Profile',
      body: ComplianceProfileRulesPatchRequestDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [sightOf('connectors', 'connectorUuid')],
      audit: 'update',
    },
    patchComplianceProfileGroupsV2: {
      route: 'PATCH /v2/complianceProfiles/{uuid}/groups',
      summary: 'Add/remove group to/from Compliance Profile',
      body: ComplianceProfileGroupsPatchRequestDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [sightOf('connectors', 'connectorUuid')],
      audit: 'update',
    },
    /** Returns internal rules if no connector is specified. */
    getComplianceRulesV2: {
      route: 'GET /v2/complianceProfiles/rules',
      summary: 'Get Compliance rules',
      query: z.object({
        connectorUuid: uuid().optional(),
        kind: line().optional(),
        resource: Resource.optional(),
        type: z.string().optional(),
        format: z.string().optional(),
      }),
      answer: z.array(ComplianceRuleListDto),
      errors: connectorRuleErrors,
      access: { action: 'list' },
      also: [sightOfNamedConnector],
    },
    getComplianceGroupsV2: {
      route: 'GET /v2/complianceProfiles/groups',
      summary: 'Get Compliance groups',
      query: z.object({ ...ofProvider, resource: Resource.optional() }),
      answer: z.array(ComplianceGroupListDto),
      errors: connectorRuleErrors,
      access: { action: 'list' },
      also: [sightOfNamedConnector],
    },
    getComplianceGroupRulesV2: {
      route: 'GET /v2/complianceProfiles/groups/{groupUuid}/rules',
      summary: 'Get Compliance group rules',
      query: z.object(ofProvider),
      answer: z.array(ComplianceRuleListDto),
      errors: connectorRuleErrors,
      access: { action: 'list' },
      also: [sightOfNamedConnector],
    },
    createComplianceInternalRuleV2: {
      route: 'POST /v2/complianceProfiles/rules',
      summary: 'Create Compliance internal rule',
      body: ComplianceInternalRuleRequestDto,
      answer: ComplianceRuleListDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      audit: { module: 'compliance', resource: 'complianceRules', operation: 'create' },
    },
    updateComplianceInternalRuleV2: {
      route: 'PUT /v2/complianceProfiles/rules/{internalRuleUuid}',
      summary: 'Update Compliance internal rule',
      body: ComplianceInternalRuleRequestDto,
      answer: ComplianceRuleListDto,
      errors: connectorRuleErrors,
      access: { action: 'update' },
      audit: { module: 'compliance', resource: 'complianceRules', operation: 'update' },
    },
    /** Rejected if a profile uses the rule. */
    deleteComplianceInternalRuleV2: {
      route: 'DELETE /v2/complianceProfiles/rules/{internalRuleUuid}',
      summary: 'Delete Compliance internal rule',
      access: { action: 'delete' },
      audit: { module: 'compliance', resource: 'complianceRules', operation: 'delete' },
    },
    getAssociationsV2: {
      route: 'GET /v2/complianceProfiles/{uuid}/associations',
      summary: 'Get associations of Compliance Profile',
      answer: z.array(ResourceObjectDto),
      access: { action: 'detail', object: 'uuid' },
    },
    getAssociatedComplianceProfilesV2: {
      route: 'GET /v2/complianceProfiles/associations/{resource}/{associationObjectUuid}',
      summary: 'Get associated Compliance Profiles for resource object',
      params: associated.omit({ uuid: true }),
      answer: z.array(ComplianceProfileListDto),
      access: { action: 'list', filtered: true },
      also: [{ resource: '{resource}', action: 'detail', object: 'associationObjectUuid' }],
    },
    associateComplianceProfileV2: {
      route: 'PATCH /v2/complianceProfiles/{uuid}/associations/{resource}/{associationObjectUuid}',
      summary: 'Associate Compliance Profile to specified resource object',
      params: associated,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [changeOfAssociated],
      audit: 'associate',
    },
    disassociateComplianceProfileV2: {
      route: 'DELETE /v2/complianceProfiles/{uuid}/associations/{resource}/{associationObjectUuid}',
      summary: 'Disassociate Compliance Profile from specified resource object',
      params: associated,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      also: [changeOfAssociated],
      audit: 'disassociate',
    },
  },
);

/** The objects can belong to different resources, so the use case checks the permissions. */
const sightOfChecked = [
  { resource: 'certificates', action: 'detail', where: 'certificates or certificate requests are specified, on them' },
  raProfileMembership,
  { resource: 'keys', action: 'detail', where: 'keys are specified, on them' },
] as const;

const checkOfProfiles = [
  { resource: 'raProfiles', action: 'checkCompliance', where: 'RA profiles are specified, on them' },
  { resource: 'tokenProfiles', action: 'detail', where: 'token profiles are specified, on them' },
] as const;

const checkAccess = { action: 'checkCompliance' } as const;

/** Checks run in the background; results are queried separately for each object. */
export const complianceOperations = operations(
  { tag: 'Compliance Management v2', resource: 'complianceProfiles', module: 'compliance', errors: connectorErrors },
  {
    /** Checks all objects to which the profiles apply, optionally restricted by `resource` and `type`. */
    checkComplianceV2: {
      route: 'POST /v2/compliance',
      summary: 'Initiate compliance check for requested compliance profiles',
      query: z.object({ resource: Resource.optional(), type: z.string().optional() }),
      body: UuidList,
      access: checkAccess,
      audit: 'checkCompliance',
    },
    /** Checks certificates, certificate requests or keys, or all objects of RA profiles or token profiles. */
    checkResourceObjectsComplianceV2: {
      route: 'POST /v2/compliance/{resource}',
      summary: 'Initiate compliance Check for requested resource objects',
      params: z.object({ resource: Resource }),
      body: z.array(uuid()),
      access: checkAccess,
      also: [...sightOfChecked, ...checkOfProfiles],
      audit: 'checkCompliance',
    },
    checkResourceObjectComplianceV2: {
      route: 'POST /v2/compliance/{resource}/{objectUuid}',
      summary: 'Initiate compliance Check for requested resource object',
      params: z.object({ resource: Resource, objectUuid: uuid() }),
      access: checkAccess,
      also: [...sightOfChecked, ...checkOfProfiles],
      audit: 'checkCompliance',
    },
    /** For keys, specify a key item; a key represents all of its items. */
    getComplianceCheckResultV2: {
      route: 'GET /v2/compliance/{resource}/{objectUuid}',
      summary: 'Get the latest compliance check result for the specified resource object',
      params: z.object({ resource: Resource, objectUuid: uuid() }),
      answer: ComplianceCheckResultDto,
      access: 'authenticated',
      also: sightOfChecked,
    },
  },
);
