// Compliance provider operations: list rules and rule groups, and check an object.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { uuid } from '../primitives.ts';
import {
  ComplianceGroupResponseDto,
  ComplianceRequestDtoV2,
  ComplianceResponseDtoV2,
  ComplianceRuleResponseDto,
  ComplianceRulesBatchRequestDto,
  ComplianceRulesBatchResponseDto,
} from './compliance-v2-shapes.ts';

const tags = { rules: 'Compliance Rules', compliance: 'Compliance' };
const kindParam = z.object({ kind: z.string() });
const groupParams = z.object({ kind: z.string(), groupUuid: uuid() });

export const complianceProviderV2Operations = operations(
  { tag: tags.rules, errors: objectErrors },
  {
    listRules: {
      route: 'GET /v2/complianceProvider/{kind}/rules',
      id: 'getRules_ComplianceRuleV2',
      summary: 'Get list of rules',
      params: kindParam,
      query: z.object({
        resource: Resource.optional(),
        type: z.string().optional(),
        format: z.string().optional(),
      }),
      answer: z.array(ComplianceRuleResponseDto),
    },
    getRulesBatch: {
      route: 'POST /v2/complianceProvider/{kind}/rules',
      summary: 'Get list of rules and groups in one batch',
      params: kindParam,
      body: ComplianceRulesBatchRequestDto,
      answer: ComplianceRulesBatchResponseDto,
      repeated: 'harmless',
    },
    getRule: {
      route: 'GET /v2/complianceProvider/{kind}/rules/{ruleUuid}',
      summary: 'Get specific rule',
      params: z.object({ kind: z.string(), ruleUuid: uuid() }),
      answer: ComplianceRuleResponseDto,
    },
    listGroups: {
      route: 'GET /v2/complianceProvider/{kind}/groups',
      id: 'getGroups_ComplianceRuleV2',
      summary: 'Get list of groups',
      params: kindParam,
      query: z.object({ resource: Resource.optional() }),
      answer: z.array(ComplianceGroupResponseDto),
    },
    getGroup: {
      route: 'GET /v2/complianceProvider/{kind}/groups/{groupUuid}',
      summary: 'Get specific group',
      params: groupParams,
      answer: ComplianceGroupResponseDto,
    },
    getGroupRules: {
      route: 'GET /v2/complianceProvider/{kind}/groups/{groupUuid}/rules',
      id: 'getGroupRules_ComplianceRuleV2',
      summary: 'Get list of rules for a group',
      params: groupParams,
      answer: z.array(ComplianceRuleResponseDto),
    },
    checkCompliance: {
      route: 'POST /v2/complianceProvider/{kind}/compliance',
      id: 'checkCompliance_ComplianceV2',
      summary: 'Check resource object compliance',
      tag: tags.compliance,
      params: kindParam,
      body: ComplianceRequestDtoV2,
      answer: ComplianceResponseDtoV2,
      errors: ruleErrors,
      repeated: 'harmless',
    },
  },
);
