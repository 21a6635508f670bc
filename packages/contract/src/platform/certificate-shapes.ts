// Certificates in lists, details and chains, with their history and validation. Long because it is a table of schemas.
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
    /** Lowercase hex without leading zeros. */
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
    /** Lowercase hex SHA-256 of the DER encoding. */
    fingerprint: z.string().optional(),
    groups: z.array(GroupDto).optional(),
    owner: z.string().optional(),
    ownerUuid: z.string().optional(),
    certificateType: CertificateType,
    issuerSerialNumber: z.string().optional(),
    complianceStatus: ComplianceStatus,
    issuerCertificateUuid: z.string().optional(),
    privateKeyAvailability: z.boolean(),
    /**
     * Whether the certificate is marked as a trust anchor. Always present because clients built for earlier versions
     * require it.
     */
    trustedCa: z.boolean().optional(),
    /**
     * True if the certificate is invalid only because the root of its otherwise valid chain is not marked as trusted.
     * Not part of the published interface.
     */
    isTrustMissing: z.boolean().optional(),
    /** Archived certificates are retained, but excluded from lists and validation. */
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

/** Protocol over which a certificate was issued, with the profile and, if the protocol has accounts, the account. */
export const CertificateProtocolDto = z
  .object({
    protocol: CertificateProtocol,
    protocolProfileUuid: uuid(),
    additionalProtocolUuid: uuid().optional(),
  })
  .meta({ id: 'CertificateProtocolDto' });
export type CertificateProtocolDto = z.output<typeof CertificateProtocolDto>;

/** The request for which a certificate was issued. */
export const CertificateRequestDto = z
  .object({
    uuid: uuid(),
    certificateType: CertificateType,
    certificateRequestFormat: CertificateRequestFormat,
    publicKeyAlgorithm: z.string(),
    signatureAlgorithm: z.string(),
    altSignatureAlgorithm: z.string().optional(),
    /** Base64-encoded DER. */
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
  /** Names from the OID registry. */
  extendedKeyUsage: z.array(z.string()).optional(),
  keyUsage: z.array(CertificateKeyUsage).optional(),
  subjectType: CertificateSubjectType.optional(),
  metadata: z.array(MetadataResponseDto).optional(),
  /** Base64-encoded DER. */
  certificateContent: z.string().optional(),
  /** Names by type; types are spelled as in RFC 5280 §4.2.1.6. */
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
  /** Time of the revocation. Not part of the published interface. */
  revokedAt: dateTime().optional(),
  revocationReason: CertificateRevocationReason.optional(),
  /**
   * `CRL` or `OCSP`, with the URL that reported the revocation. Absent if the certificate was revoked through the
   * platform.
   */
  revocationSource: z.string().optional(),
}).meta({ id: 'CertificateDetailDto' });
export type CertificateDetailDto = z.output<typeof CertificateDetailDto>;

/** A predecessor or successor of a certificate. */
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
 * Starts with the certificate's issuer or, on request, with the certificate itself, and continues up to the root or the
 * last known issuer.
 */
export const CertificateChainResponseDto = z
  .object({ completeChain: z.boolean(), certificates: z.array(CertificateDetailDto) })
  .meta({ id: 'CertificateChainResponseDto' });
export type CertificateChainResponseDto = z.output<typeof CertificateChainResponseDto>;

export const CertificateChainDownloadResponseDto = z
  .object({
    format: CertificateFormat,
    encoding: CertificateFormatEncoding,
    /** Base64 of the file, even if the file is PEM text. */
    content: z.string(),
    completeChain: z.boolean(),
  })
  .meta({ id: 'CertificateChainDownloadResponseDto' });
export type CertificateChainDownloadResponseDto = z.output<typeof CertificateChainDownloadResponseDto>;

export const CertificateDownloadResponseDto = z
  .object({
    format: CertificateFormat,
    encoding: CertificateFormatEncoding,
    /** Base64 of the file, even if the file is PEM text. */
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
    /** Values by name, each an object; a single value is its member `value`. */
    additionalInformation: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
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
