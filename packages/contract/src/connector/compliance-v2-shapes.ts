// Schemas for compliance providers, which check objects of multiple resources.
import { z } from 'zod';
import { ComplianceRuleStatus, ComplianceStatus } from '../enums/compliance.ts';
import { Resource } from '../platform/resource.ts';
import { uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';

/** `type` and `format` restrict the rule within its resource, e.g. to certificates of one type. */
export const ComplianceRuleResponseDto = z
  .object({
    uuid: uuid(),
    groupUuid: uuid().optional(),
    name: z.string(),
    description: z.string().optional(),
    resource: Resource,
    type: z.string().optional(),
    format: z.string().optional(),
    attributes: z.array(BaseAttributeDto).optional(),
  })
  .meta({ id: 'ComplianceRuleResponseDto' });
export type ComplianceRuleResponseDto = z.output<typeof ComplianceRuleResponseDto>;

const group = {
  uuid: uuid(),
  name: z.string(),
  description: z.string().optional(),
  resource: Resource.optional(),
};

export const ComplianceGroupResponseDto = z.object(group).meta({ id: 'ComplianceGroupResponseDto' });
export type ComplianceGroupResponseDto = z.output<typeof ComplianceGroupResponseDto>;

export const ComplianceGroupBatchResponseDto = z
  .object({ ...group, rules: z.array(ComplianceRuleResponseDto).optional() })
  .meta({ id: 'ComplianceGroupBatchResponseDto' });
export type ComplianceGroupBatchResponseDto = z.output<typeof ComplianceGroupBatchResponseDto>;

/** If `withGroupRules` is true, groups are returned with their rules. */
export const ComplianceRulesBatchRequestDto = z
  .object({
    ruleUuids: z.array(uuid()),
    groupUuids: z.array(uuid()),
    withGroupRules: z.boolean().default(false),
  })
  .refine(({ ruleUuids, groupUuids }) => ruleUuids.length + groupUuids.length > 0, {
    message: 'must contain at least one rule or group',
  })
  .meta({ id: 'ComplianceRulesBatchRequestDto' });
export type ComplianceRulesBatchRequestDto = z.output<typeof ComplianceRulesBatchRequestDto>;

export const ComplianceRulesBatchResponseDto = z
  .object({ rules: z.array(ComplianceRuleResponseDto), groups: z.array(ComplianceGroupBatchResponseDto) })
  .meta({ id: 'ComplianceRulesBatchResponseDto' });
export type ComplianceRulesBatchResponseDto = z.output<typeof ComplianceRulesBatchResponseDto>;

export const ComplianceRuleRequestDto = z
  .object({ uuid: uuid(), attributes: z.array(RequestAttributeDto).optional() })
  .meta({ id: 'ComplianceRuleRequestDto' });
export type ComplianceRuleRequestDto = z.output<typeof ComplianceRuleRequestDto>;

/** An object to check. `data` is its Base64-encoded content, in the encoding that `type` and `format` identify. */
export const ComplianceRequestDtoV2 = z
  .object({
    resource: Resource.optional(),
    type: z.string().optional(),
    format: z.string().optional(),
    data: z.string(),
    rules: z.array(ComplianceRuleRequestDto),
    groups: z.array(uuid()),
  })
  .refine(({ resource, type, format }) => resource !== undefined || (type ?? format) === undefined, {
    message: 'must be specified if a type or format is present',
    path: ['resource'],
  })
  .meta({ id: 'ComplianceRequestDtoV2' });
export type ComplianceRequestDtoV2 = z.output<typeof ComplianceRequestDtoV2>;

export const ComplianceResponseRuleDtoV2 = z
  .object({ uuid: uuid(), name: z.string(), status: ComplianceRuleStatus })
  .meta({ id: 'ComplianceResponseRuleDtoV2' });
export type ComplianceResponseRuleDtoV2 = z.output<typeof ComplianceResponseRuleDtoV2>;

export const ComplianceResponseDtoV2 = z
  .object({ status: ComplianceStatus.optional(), rules: z.array(ComplianceResponseRuleDtoV2) })
  .meta({ id: 'ComplianceResponseDtoV2' });
export type ComplianceResponseDtoV2 = z.output<typeof ComplianceResponseDtoV2>;
