// First-generation compliance profiles: provider rules for certificates. They are the same objects as second-generation
// profiles, but omit internal rules and rules for keys, which this format cannot represent.
import { z } from 'zod';
import {
  ComplianceGroupsResponseDto,
  ComplianceRequestRulesDto,
  ComplianceRulesResponseDto,
} from '../connector/compliance-shapes.ts';
import { CertificateType } from '../enums/certificates.ts';
import { connectorErrors, connectorRuleErrors, objectErrors, operations } from '../operations.ts';
import { description, int32, line, objectName, uuid } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { BulkActionMessageDto, UuidDto, UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { raProfilePermission } from './ra-profile-access.ts';
import { raProfileMembership, sightOf } from './referenced-objects.ts';

export const ComplianceProviderSummaryDto = z
  .object({ connectorName: z.string(), numberOfRules: int32().optional(), numberOfGroups: int32().optional() })
  .meta({ id: 'ComplianceProviderSummaryDto' });
export type ComplianceProviderSummaryDto = z.output<typeof ComplianceProviderSummaryDto>;

const named = { uuid: z.string(), name: z.string(), description: z.string().optional() };

export const ComplianceProfilesListDto = z
  .object({ ...named, rules: z.array(ComplianceProviderSummaryDto) })
  .meta({ id: 'ComplianceProfilesListDto' });
export type ComplianceProfilesListDto = z.output<typeof ComplianceProfilesListDto>;

export const ComplianceRulesDto = z
  .object({ ...named, certificateType: CertificateType, attributes: z.array(ResponseAttributeDto).optional() })
  .meta({ id: 'ComplianceRulesDto' });
export type ComplianceRulesDto = z.output<typeof ComplianceRulesDto>;

export const ComplianceGroupsDto = z.object(named).meta({ id: 'ComplianceGroupsDto' });
export type ComplianceGroupsDto = z.output<typeof ComplianceGroupsDto>;

const connector = {
  connectorName: z.string().optional(),
  connectorUuid: z.string().optional(),
  kind: line().optional(),
};

export const ComplianceConnectorAndRulesDto = z
  .object({ ...connector, rules: z.array(ComplianceRulesDto).optional() })
  .meta({ id: 'ComplianceConnectorAndRulesDto' });
export type ComplianceConnectorAndRulesDto = z.output<typeof ComplianceConnectorAndRulesDto>;

export const ComplianceConnectorAndGroupsDto = z
  .object({ ...connector, groups: z.array(ComplianceGroupsDto).optional() })
  .meta({ id: 'ComplianceConnectorAndGroupsDto' });
export type ComplianceConnectorAndGroupsDto = z.output<typeof ComplianceConnectorAndGroupsDto>;

export const ComplianceProfileDto = z
  .object({
    ...named,
    rules: z.array(ComplianceConnectorAndRulesDto),
    groups: z.array(ComplianceConnectorAndGroupsDto),
    raProfiles: z.array(SimplifiedRaProfileDto).optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'ComplianceProfileDto' });
export type ComplianceProfileDto = z.output<typeof ComplianceProfileDto>;

export const ComplianceProfileRulesRequestDto = z
  .object({
    connectorUuid: uuid(),
    kind: line(),
    rules: z.array(ComplianceRequestRulesDto).optional(),
    groups: z.array(z.string()).optional(),
  })
  .meta({ id: 'ComplianceProfileRulesRequestDto' });
export type ComplianceProfileRulesRequestDto = z.output<typeof ComplianceProfileRulesRequestDto>;

export const ComplianceProfileRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    rules: z.array(ComplianceProfileRulesRequestDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ComplianceProfileRequestDto' });
export type ComplianceProfileRequestDto = z.output<typeof ComplianceProfileRequestDto>;

const ofConnector = { connectorUuid: uuid(), kind: line() };

export const ComplianceRuleAdditionRequestDto = z
  .object({ ...ofConnector, ruleUuid: z.string(), attributes: z.array(RequestAttributeDto).optional() })
  .meta({ id: 'ComplianceRuleAdditionRequestDto' });
export type ComplianceRuleAdditionRequestDto = z.output<typeof ComplianceRuleAdditionRequestDto>;

export const ComplianceRuleDeletionRequestDto = z
  .object({ ...ofConnector, ruleUuid: z.string() })
  .meta({ id: 'ComplianceRuleDeletionRequestDto' });
export type ComplianceRuleDeletionRequestDto = z.output<typeof ComplianceRuleDeletionRequestDto>;

export const ComplianceGroupRequestDto = z
  .object({ ...ofConnector, groupUuid: z.string() })
  .meta({ id: 'ComplianceGroupRequestDto' });
export type ComplianceGroupRequestDto = z.output<typeof ComplianceGroupRequestDto>;

export const ComplianceProfileRuleDto = z
  .object({
    ...named,
    connectorName: z.string(),
    connectorUuid: z.string(),
    kind: line(),
    groupUuid: z.string().optional(),
    certificateType: CertificateType,
    attributes: z.array(ResponseAttributeDto),
    complianceProfileUuid: z.string(),
    complianceProfileName: z.string(),
  })
  .meta({ id: 'ComplianceProfileRuleDto' });
export type ComplianceProfileRuleDto = z.output<typeof ComplianceProfileRuleDto>;

const provider = { connectorName: z.string(), connectorUuid: z.string(), kind: line() };

export const ComplianceRulesListResponseDto = z
  .object({ ...provider, rules: z.array(ComplianceRulesResponseDto) })
  .meta({ id: 'ComplianceRulesListResponseDto' });
export type ComplianceRulesListResponseDto = z.output<typeof ComplianceRulesListResponseDto>;

export const ComplianceGroupsListResponseDto = z
  .object({ ...provider, groups: z.array(ComplianceGroupsResponseDto) })
  .meta({ id: 'ComplianceGroupsListResponseDto' });
export type ComplianceGroupsListResponseDto = z.output<typeof ComplianceGroupsListResponseDto>;

export const RaProfileAssociationRequestDto = z
  .object({ raProfileUuids: UuidList })
  .meta({ id: 'RaProfileAssociationRequestDto' });
export type RaProfileAssociationRequestDto = z.output<typeof RaProfileAssociationRequestDto>;

export const SimplifiedComplianceProfileDto = z.object(named).meta({ id: 'SimplifiedComplianceProfileDto' });
export type SimplifiedComplianceProfileDto = z.output<typeof SimplifiedComplianceProfileDto>;

export const CertificateComplianceCheckDto = z
  .object({ certificateUuids: UuidList.optional() })
  .meta({ id: 'CertificateComplianceCheckDto' });
export type CertificateComplianceCheckDto = z.output<typeof CertificateComplianceCheckDto>;

/** A single type is sent as a string. */
const certificateTypes = (): z.ZodType<CertificateType[], CertificateType[]> =>
  z.preprocess(
    (given) => (given === undefined || Array.isArray(given) ? given : [given]),
    z.array(CertificateType),
    // Zod types the input of a preprocessed schema as unknown, hence the cast.
  ) as z.ZodType<CertificateType[], CertificateType[]>;

const ofProvider = { complianceProvider: uuid().optional(), kind: line().optional() };

const sightOfNamedConnector = {
  resource: 'connectors',
  action: 'detail',
  where: 'the query specifies a connector, on it',
} as const;

const changeOfRaProfiles = { resource: 'raProfiles', action: 'update', named: 'raProfileUuids' } as const;

const profilePermission = (action: 'detail' | 'update' | 'delete') => ({ action, object: 'uuid' }) as const;

export const legacyComplianceProfileOperations = operations(
  {
    tag: 'Compliance Profile Management',
    resource: 'complianceProfiles',
    module: 'compliance',
    errors: connectorErrors,
  },
  {
    listComplianceProfiles: {
      route: 'GET /v1/complianceProfiles',
      summary: 'List of available Compliance Profiles',
      answer: z.array(ComplianceProfilesListDto),
      access: { action: 'list', filtered: true },
    },
    createComplianceProfile: {
      route: 'POST /v1/complianceProfiles',
      summary: 'Add Compliance Profile',
      body: ComplianceProfileRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'rules.connectorUuid')],
      audit: 'create',
    },
    getComplianceProfile: {
      route: 'GET /v1/complianceProfiles/{uuid}',
      summary: 'Details of a Compliance Profile',
      answer: ComplianceProfileDto,
      access: profilePermission('detail'),
    },
    deleteComplianceProfile: {
      route: 'DELETE /v1/complianceProfiles/{uuid}',
      summary: 'Delete Compliance Profile',
      access: profilePermission('delete'),
      audit: 'delete',
    },
    bulkDeleteComplianceProfiles: {
      route: 'DELETE /v1/complianceProfiles',
      summary: 'Delete multiple Compliance Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    forceDeleteComplianceProfiles: {
      route: 'DELETE /v1/complianceProfiles/force',
      summary: 'Force delete Compliance Profiles',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    getComplianceRules: {
      route: 'GET /v1/complianceProfiles/rules',
      summary: 'Get Compliance rules',
      query: z.object({ ...ofProvider, certificateType: certificateTypes().optional() }),
      answer: z.array(ComplianceRulesListResponseDto),
      errors: connectorRuleErrors,
      access: { action: 'list' },
      also: [sightOfNamedConnector],
    },
    getComplianceGroups: {
      route: 'GET /v1/complianceProfiles/groups',
      summary: 'Get Compliance groups',
      query: z.object(ofProvider),
      answer: z.array(ComplianceGroupsListResponseDto),
      errors: connectorRuleErrors,
      access: { action: 'list' },
      also: [sightOfNamedConnector],
    },
    addRule: {
      route: 'POST /v1/complianceProfiles/{uuid}/rules',
      summary: 'Add rule to a Compliance Profile',
      body: ComplianceRuleAdditionRequestDto,
      answer: ComplianceProfileRuleDto,
      errors: connectorRuleErrors,
      access: profilePermission('update'),
      also: [sightOf('connectors', 'connectorUuid')],
      audit: 'update',
    },
    removeRule: {
      route: 'DELETE /v1/complianceProfiles/{uuid}/rules',
      summary: 'Delete rule from a Compliance Profile',
      body: ComplianceRuleDeletionRequestDto,
      errors: connectorRuleErrors,
      access: profilePermission('update'),
      audit: 'update',
    },
    addGroup: {
      route: 'POST /v1/complianceProfiles/{uuid}/groups',
      summary: 'Add group to a Compliance Profile',
      body: ComplianceGroupRequestDto,
      errors: connectorRuleErrors,
      access: profilePermission('update'),
      also: [sightOf('connectors', 'connectorUuid')],
      audit: 'update',
    },
    removeGroup: {
      route: 'DELETE /v1/complianceProfiles/{uuid}/groups',
      summary: 'Delete group from a Compliance Profile',
      body: ComplianceGroupRequestDto,
      errors: connectorRuleErrors,
      access: profilePermission('update'),
      audit: 'update',
    },
    getAssociatedRAProfiles: {
      route: 'GET /v1/complianceProfiles/{uuid}/raProfiles',
      summary: 'Get RA Profiles for a Compliance Profile',
      answer: z.array(SimplifiedRaProfileDto),
      access: profilePermission('detail'),
    },
    associateProfiles: {
      route: 'PATCH /v1/complianceProfiles/{uuid}/raProfiles/associate',
      summary: 'Associate Compliance Profile to RA Profile',
      body: RaProfileAssociationRequestDto,
      errors: connectorRuleErrors,
      access: profilePermission('update'),
      also: [changeOfRaProfiles],
      audit: 'associate',
    },
    disassociateProfiles: {
      route: 'PATCH /v1/complianceProfiles/{uuid}/raProfiles/disassociate',
      summary: 'Disassociate Compliance Profile to RA Profile',
      body: RaProfileAssociationRequestDto,
      errors: connectorRuleErrors,
      access: profilePermission('update'),
      also: [changeOfRaProfiles],
      audit: 'disassociate',
    },
    /** Checks all certificates to which the profiles apply, in the background. */
    checkCompliance: {
      route: 'POST /v1/complianceProfiles/compliance',
      summary: 'Initiate Certificate Compliance Check',
      body: UuidList,
      access: { action: 'checkCompliance' },
      audit: 'checkCompliance',
    },
  },
);

export const raProfileComplianceOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'compliance', errors: connectorErrors },
  {
    getAssociatedComplianceProfiles: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/complianceProfiles',
      summary: 'Get Compliance Profiles for an RA Profile',
      answer: z.array(SimplifiedComplianceProfileDto),
      access: raProfilePermission('detail'),
    },
    /** Checks all of the profiles' certificates in the background. */
    checkRaProfileCompliance: {
      route: 'POST /v1/raProfiles/compliance',
      summary: 'Initiate Certificate Compliance Check',
      body: UuidList,
      access: { action: 'checkCompliance' },
      audit: 'checkCompliance',
    },
  },
);

export const certificateComplianceOperations = operations(
  { tag: 'Certificate Inventory', resource: 'certificates', module: 'compliance', errors: objectErrors },
  {
    checkCertificatesCompliance: {
      route: 'POST /v1/certificates/compliance',
      summary: 'Initiate Certificate Compliance Check',
      body: CertificateComplianceCheckDto,
      access: { resource: 'complianceProfiles', action: 'checkCompliance' },
      also: [{ resource: 'certificates', action: 'detail', where: 'on the certificates' }, raProfileMembership],
      audit: 'checkCompliance',
    },
  },
);
