// Operations for first-generation compliance providers.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import {
  ComplianceGroupsResponseDto,
  ComplianceRequestDto,
  ComplianceResponseDto,
  ComplianceRulesResponseDto,
} from './compliance-shapes.ts';

const tags = { rules: 'Compliance Rules', compliance: 'Compliance' };
const kindParam = z.object({ kind: z.string() });

export const complianceProviderOperations = operations(
  { tag: tags.rules, errors: objectErrors },
  {
    listRules: {
      route: 'GET /v1/complianceProvider/{kind}/rules',
      id: 'getRules_ComplianceRules',
      summary: 'Get list of rules',
      params: kindParam,
      answer: z.array(ComplianceRulesResponseDto),
    },
    listGroups: {
      route: 'GET /v1/complianceProvider/{kind}/groups',
      id: 'getGroups_ComplianceRules',
      summary: 'Get list of groups',
      params: kindParam,
      answer: z.array(ComplianceGroupsResponseDto),
    },
    /** Lists the rules in a group. */
    listGroupDetails: {
      route: 'GET /v1/complianceProvider/{kind}/groups/{uuid}',
      id: 'getGroupRules_ComplianceRules',
      summary: 'Get list of rules for a group',
      params: z.object({ kind: z.string(), uuid: z.string() }),
      answer: z.array(ComplianceRulesResponseDto),
    },
    checkCompliance: {
      route: 'POST /v1/complianceProvider/{kind}/compliance',
      id: 'checkCompliance_Compliance',
      summary: 'Check certificate compliance',
      tag: tags.compliance,
      params: kindParam,
      body: ComplianceRequestDto,
      answer: ComplianceResponseDto,
      errors: ruleErrors,
      repeated: 'harmless',
    },
  },
);
