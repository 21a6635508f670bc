// Certificates as shown in lists, details and chains, with history and validation. A table of shapes, therefore long.
import { z } from 'zod';
import {
  CertificateEvent,
  CertificateEventStatus,
  CertificateFormat,
  CertificateFormatEncoding,
  CertificateKeyUsage,
  CertificateProtocol,
  CertificateRelationType,
  CertificateRequestFormat,
  CertificateRevocationReason,
  CertificateState,
  CertificateSubjectType,
  CertificateType,
  CertificateValidationCheck,
  CertificateValidationStatus,
} from '../enums/certificates.ts';
import { ComplianceRuleStatus, ComplianceStatus } from '../enums/compliance.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { MetadataResponseDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { pageTotals } from '../shared/paging.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';
import { GroupDto } from './groups.ts';
import { KeyDto } from './key-shapes.ts';
import { LocationDto } from './locations.ts';

export const CertificateDto = z
  .object({
    uuid: z.string(),
    commonName: z.string(),
    /** Lower-case hex without leading zeros. */
    serialNumber: z.string().optional(),
    issuerCommonName: z.string().optional(),
    issuerDn: z.string().optional(),
    subjectDn: z.string(),
    notBefore: dateTime().optional(),
    notAfter: dateTime().optional(),
    publicKeyAlgorithm: z.string(),
    altPublicKeyAlgorithm: z.string().optional(),
    signatureAlgorithm: z.string().optional(),
    altSignatureAlgorithm: z.string().optional(),
    hybridCertificate: z.boolean(),
    keySize: int32(),
    altKeySize: int32().optional(),
    state: CertificateState,
    validationStatus: CertificateValidationStatus,
    raProfile: SimplifiedRaProfileDto.optional(),
    /** Lower-case hex SHA-256 of the DER form. */
    fingerprint: z.string().optional(),
    groups: z.array(GroupDto).optional(),
    owner: z.string().optional(),
    ownerUuid: z.string().optional(),
    certificateType: CertificateType,
    issuerSerialNumber: z.string().optional(),
    complianceStatus: ComplianceStatus,
    issuerCertificateUuid: z.string().optional(),
    privateKeyAvailability: z.boolean(),
    /** Marked as a trust anchor. Always there: clients of earlier documents insist on it. */
    trustedCa: z.boolean().optional(),
    /**
     * True for an invalid certificate that lacks nothing but trust: its chain is right and ends at a root that is not
     * marked as trusted. Beyond the published interface.
     */
    isTrustMissing: z.boolean().optional(),
    /** Kept, but excluded from lists and validation. */
    archived: z.boolean().default(false),
  })
  .meta({ id: 'CertificateDto' });
export type CertificateDto = z.output<typeof CertificateDto>;

export const CertificateResponseDto = z
  .object({
    ...pageTotals,
    certificates: z.array(CertificateDto),
  })
  .meta({ id: 'CertificateResponseDto' });
export type CertificateResponseDto = z.output<typeof CertificateResponseDto>;

export const CertificateComplianceResultDto = z
  .object({
    connectorName: z.string(),
    ruleName: z.string(),
    ruleDescription: z.string(),
    status: ComplianceRuleStatus,
    attributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'CertificateComplianceResultDto' });
export type CertificateComplianceResultDto = z.output<typeof CertificateComplianceResultDto>;

/** The protocol that a certificate was issued over, the profile, and the account if the protocol has accounts. */
export const CertificateProtocolDto = z
  .object({
    protocol: CertificateProtocol,
    protocolProfileUuid: uuid(),
    additionalProtocolUuid: uuid().optional(),
  })
  .meta({ id: 'CertificateProtocolDto' });
export type CertificateProtocolDto = z.output<typeof CertificateProtocolDto>;

/** The request that a certificate was issued for. */
export const CertificateRequestDto = z
  .object({
    uuid: uuid(),
    certificateType: CertificateType,
    certificateRequestFormat: CertificateRequestFormat,
    publicKeyAlgorithm: z.string(),
    signatureAlgorithm: z.string(),
    altSignatureAlgorithm: z.string().optional(),
    /** Base64 of DER. */
    content: z.string(),
    commonName: z.string(),
    subjectDn: z.string(),
    subjectAlternativeNames: z.record(z.string(), z.array(z.string())).optional(),
    attributes: z.array(ResponseAttributeDto).optional(),
    signatureAttributes: z.array(ResponseAttributeDto).optional(),
    altSignatureAttributes: z.array(ResponseAttributeDto).optional(),
    keyUuid: z.string().optional(),
    altKeyUuid: z.string().optional(),
    complianceStatus: ComplianceStatus,
  })
  .meta({ id: 'CertificateRequestDto' });
export type CertificateRequestDto = z.output<typeof CertificateRequestDto>;

export const CertificateDetailDto = CertificateDto.extend({
  /** Names from the registry of object identifiers. */
  extendedKeyUsage: z.array(z.string()).optional(),
  keyUsage: z.array(CertificateKeyUsage).optional(),
  subjectType: CertificateSubjectType.optional(),
  metadata: z.array(MetadataResponseDto).optional(),
  /** Base64 of DER. */
  certificateContent: z.string().optional(),
  /** Names by kind, the kinds spelled as in RFC 5280 §4.2.1.6. */
  subjectAlternativeNames: z.record(z.string(), z.array(z.string())).optional(),
  locations: z.array(LocationDto).optional(),
  nonCompliantRules: z.array(CertificateComplianceResultDto).optional(),
  customAttributes: z.array(ResponseAttributeDto).optional(),
  key: KeyDto.optional(),
  altKey: KeyDto.optional(),
  certificateRequest: CertificateRequestDto.optional(),
  sourceCertificateUuid: uuid().optional(),
  issueAttributes: z.array(ResponseAttributeDto).optional(),
  revokeAttributes: z.array(ResponseAttributeDto).optional(),
  relatedCertificates: z.array(CertificateDto).optional(),
  protocolInfo: CertificateProtocolDto.optional(),
  /** When and why it was revoked. Beyond the published interface. */
  revokedAt: dateTime().optional(),
  revocationReason: CertificateRevocationReason.optional(),
  /** `CRL` or `OCSP` and the URL that stated it; absent when the platform revoked the certificate. */
  revocationSource: z.string().optional(),
}).meta({ id: 'CertificateDetailDto' });
export type CertificateDetailDto = z.output<typeof CertificateDetailDto>;

/** A certificate that succeeds another one, or precedes it. */
export const CertificateSimpleDto = z
  .object({
    uuid: uuid(),
    certificateType: CertificateType,
    state: CertificateState,
    relationType: CertificateRelationType,
    commonName: z.string(),
    subjectDn: z.string(),
    issuerCommonName: z.string().optional(),
    issuerDn: z.string().optional(),
    serialNumber: z.string().optional(),
    fingerprint: z.string().optional(),
    publicKeyAlgorithm: z.string(),
    altPublicKeyAlgorithm: z.string().optional(),
    signatureAlgorithm: z.string().optional(),
    altSignatureAlgorithm: z.string().optional(),
    notBefore: dateTime().optional(),
    notAfter: dateTime().optional(),
  })
  .meta({ id: 'CertificateSimpleDto' });
export type CertificateSimpleDto = z.output<typeof CertificateSimpleDto>;

export const CertificateRelationsDto = z
  .object({
    certificateUuid: uuid(),
    successorCertificates: z.array(CertificateSimpleDto).optional(),
    predecessorCertificates: z.array(CertificateSimpleDto).optional(),
  })
  .meta({ id: 'CertificateRelationsDto' });
export type CertificateRelationsDto = z.output<typeof CertificateRelationsDto>;

export const CertificateContentDto = z
  .object({
    uuid: z.string(),
    commonName: z.string(),
    serialNumber: z.string(),
    certificateContent: z.string(),
  })
  .meta({ id: 'CertificateContentDto' });
export type CertificateContentDto = z.output<typeof CertificateContentDto>;

/**
 * From the certificate's issuer, or from the certificate itself on request, up to the root as far as known.
 */
export const CertificateChainResponseDto = z
  .object({ completeChain: z.boolean(), certificates: z.array(CertificateDetailDto) })
  .meta({ id: 'CertificateChainResponseDto' });
export type CertificateChainResponseDto = z.output<typeof CertificateChainResponseDto>;

export const CertificateChainDownloadResponseDto = z
  .object({
    format: CertificateFormat,
    encoding: CertificateFormatEncoding,
    /** Base64 of the file, also when the file is PEM text. */
    content: z.string(),
    completeChain: z.boolean(),
  })
  .meta({ id: 'CertificateChainDownloadResponseDto' });
export type CertificateChainDownloadResponseDto = z.output<typeof CertificateChainDownloadResponseDto>;

export const CertificateDownloadResponseDto = z
  .object({
    format: CertificateFormat,
    encoding: CertificateFormatEncoding,
    /** Base64 of the file, also when the file is PEM text. */
    content: z.string(),
  })
  .meta({ id: 'CertificateDownloadResponseDto' });
export type CertificateDownloadResponseDto = z.output<typeof CertificateDownloadResponseDto>;

export const CertificateEventHistoryDto = z
  .object({
    uuid: z.string(),
    certificateUuid: z.string(),
    created: dateTime(),
    createdBy: z.string(),
    event: CertificateEvent,
    status: CertificateEventStatus,
    message: z.string(),
    additionalInformation: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'CertificateEventHistoryDto' });
export type CertificateEventHistoryDto = z.output<typeof CertificateEventHistoryDto>;

export const CertificateValidationCheckDto = z
  .object({
    validationCheck: CertificateValidationCheck,
    status: CertificateValidationStatus,
    message: z.string().optional(),
  })
  .meta({ id: 'CertificateValidationCheckDto' });
export type CertificateValidationCheckDto = z.output<typeof CertificateValidationCheckDto>;

export const CertificateValidationResultDto = z
  .object({
    resultStatus: CertificateValidationStatus,
    validationChecks: z.partialRecord(CertificateValidationCheck, CertificateValidationCheckDto).optional(),
    message: z.string().optional(),
    validationTimestamp: dateTime().optional(),
  })
  .meta({ id: 'CertificateValidationResultDto' });
export type CertificateValidationResultDto = z.output<typeof CertificateValidationResultDto>;
