// Schemas for first-generation compliance providers, which check only certificates.
import { z } from 'zod';
import { CertificateType } from '../enums/certificates.ts';
import { ComplianceRuleStatus, ComplianceStatus } from '../enums/compliance.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';

export const ComplianceRulesResponseDto = z
  .object({
    uuid: z.string(),
    groupUuid: z.string().optional(),
    name: z.string(),
    certificateType: CertificateType,
    attributes: z.array(BaseAttributeDto).optional(),
    description: z.string().optional(),
  })
  .meta({ id: 'ComplianceRulesResponseDto' });
export type ComplianceRulesResponseDto = z.output<typeof ComplianceRulesResponseDto>;

export const ComplianceGroupsResponseDto = z
  .object({ uuid: z.string(), name: z.string(), description: z.string().optional() })
  .meta({ id: 'ComplianceGroupsResponseDto' });
export type ComplianceGroupsResponseDto = z.output<typeof ComplianceGroupsResponseDto>;

/** A rule to check, with its attribute values. */
export const ComplianceRequestRulesDto = z
  .object({ uuid: z.string(), attributes: z.array(RequestAttributeDto).optional() })
  .meta({ id: 'ComplianceRequestRulesDto' });
export type ComplianceRequestRulesDto = z.output<typeof ComplianceRequestRulesDto>;

/** `certificate` is Base64-encoded DER. If `rules` is absent, all rules are checked. */
export const ComplianceRequestDto = z
  .object({ certificate: z.string(), rules: z.array(ComplianceRequestRulesDto).optional() })
  .meta({ id: 'ComplianceRequestDto' });
export type ComplianceRequestDto = z.output<typeof ComplianceRequestDto>;

export const ComplianceResponseRulesDto = z
  .object({ uuid: z.string(), name: z.string(), status: ComplianceRuleStatus })
  .meta({ id: 'ComplianceResponseRulesDto' });
export type ComplianceResponseRulesDto = z.output<typeof ComplianceResponseRulesDto>;

export const ComplianceResponseDto = z
  .object({ status: ComplianceStatus, rules: z.array(ComplianceResponseRulesDto).optional() })
  .meta({ id: 'ComplianceResponseDto' });
export type ComplianceResponseDto = z.output<typeof ComplianceResponseDto>;
