// Compliance data of profiles and of checked objects.
import { z } from 'zod';
import { ComplianceRuleAvailabilityStatus, ComplianceRuleStatus, ComplianceStatus } from '../enums/compliance.ts';
import { FilterConditionOperator, FilterFieldSource } from '../enums/search.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { BaseAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { Resource } from './resource.ts';

const condition = {
  fieldSource: FilterFieldSource,
  /** Property name, or attribute name in the form `name|CONTENTTYPE`, as in searches. */
  fieldIdentifier: z.string(),
  operator: FilterConditionOperator,
  /** As in searches, an array matches any of its members. */
  value: z.unknown().optional(),
};

export const ConditionItemDto = z.object(condition).meta({ id: 'ConditionItemDto' });
export type ConditionItemDto = z.output<typeof ConditionItemDto>;

export const ConditionItemRequestDto = z.object(condition).meta({ id: 'ConditionItemRequestDto' });
export type ConditionItemRequestDto = z.output<typeof ConditionItemRequestDto>;

/** A rule that can be added to profiles. Internal rules have conditions; provider rules have a connector and a kind. */
export const ComplianceRuleListDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    connectorUuid: uuid().optional(),
    kind: z.string().optional(),
    groupUuid: uuid().optional(),
    resource: Resource,
    type: z.string().optional(),
    format: z.string().optional(),
    attributes: z.array(BaseAttributeDto).optional(),
    conditionItems: z.array(ConditionItemDto).optional(),
  })
  .meta({ id: 'ComplianceRuleListDto' });
export type ComplianceRuleListDto = z.output<typeof ComplianceRuleListDto>;

export const ComplianceGroupListDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    connectorUuid: uuid(),
    kind: z.string(),
    resource: Resource.optional(),
  })
  .meta({ id: 'ComplianceGroupListDto' });
export type ComplianceGroupListDto = z.output<typeof ComplianceGroupListDto>;

/** A rule in a profile. If its provider no longer offers it, the name and description are the last known ones. */
export const ComplianceRuleDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    groupUuid: uuid().optional(),
    availabilityStatus: ComplianceRuleAvailabilityStatus,
    /** How the rule has changed since it was added, or why it is not available. */
    updatedReason: z.string().optional(),
    resource: Resource,
    type: z.string().optional(),
    format: z.string().optional(),
    attributes: z.array(ResponseAttributeDto).optional(),
    conditionItems: z.array(ConditionItemDto).optional(),
  })
  .meta({ id: 'ComplianceRuleDto' });
export type ComplianceRuleDto = z.output<typeof ComplianceRuleDto>;

export const ComplianceGroupDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    availabilityStatus: ComplianceRuleAvailabilityStatus,
    updatedReason: z.string().optional(),
    resource: Resource.optional(),
  })
  .meta({ id: 'ComplianceGroupDto' });
export type ComplianceGroupDto = z.output<typeof ComplianceGroupDto>;

export const ProviderComplianceRulesDto = z
  .object({
    connectorUuid: uuid(),
    connectorName: z.string(),
    kind: z.string(),
    rules: z.array(ComplianceRuleDto),
    groups: z.array(ComplianceGroupDto),
  })
  .meta({ id: 'ProviderComplianceRulesDto' });
export type ProviderComplianceRulesDto = z.output<typeof ProviderComplianceRulesDto>;

export const ComplianceProfileListDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    providerRulesCount: int32(),
    providerGroupsCount: int32(),
    internalRulesCount: int32(),
    /** Number of RA profiles and token profiles that the profile applies to. */
    associations: int32(),
  })
  .meta({ id: 'ComplianceProfileListDto' });
export type ComplianceProfileListDto = z.output<typeof ComplianceProfileListDto>;

export const ComplianceProfileDtoV2 = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    internalRules: z.array(ComplianceRuleDto),
    providerRules: z.array(ProviderComplianceRulesDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'ComplianceProfileDtoV2' });
export type ComplianceProfileDtoV2 = z.output<typeof ComplianceProfileDtoV2>;

export const ComplianceCheckRuleDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    description: z.string().optional(),
    status: ComplianceRuleStatus,
    connectorUuid: uuid().optional(),
    connectorName: z.string().optional(),
    kind: z.string().optional(),
    resource: Resource,
    attributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'ComplianceCheckRuleDto' });
export type ComplianceCheckRuleDto = z.output<typeof ComplianceCheckRuleDto>;

/** The latest check of an object. */
export const ComplianceCheckResultDto = z
  .object({
    status: ComplianceStatus,
    /** Absent if the object has not been checked yet. */
    timestamp: dateTime().optional(),
    /** Why rules could not be checked. */
    message: z.string().optional(),
    /** Rules whose status is not `ok`. */
    failedRules: z.array(ComplianceCheckRuleDto),
  })
  .meta({ id: 'ComplianceCheckResultDto' });
export type ComplianceCheckResultDto = z.output<typeof ComplianceCheckResultDto>;

/** An object of a resource. */
export const ResourceObjectDto = z
  .object({ resource: Resource, objectUuid: uuid(), name: z.string() })
  .meta({ id: 'ResourceObjectDto' });
export type ResourceObjectDto = z.output<typeof ResourceObjectDto>;
