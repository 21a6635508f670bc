// API representation of certificates. Missing values are omitted, never null.
import type {
  CertificateComplianceResultDto,
  CertificateDetailDto,
  CertificateDto,
  CertificateEventHistoryDto,
  CertificateRequestDto,
  FoundCertificateDto,
  GroupDto,
  KeyDto,
  MetadataResponseDto,
  ResponseAttributeDto,
} from '@signetry/contract';
import { namedPurposes } from '@signetry/pki';
import { presentAdditional } from '../../../kernel/additional-information.ts';
import { keyUsagesOf, shownState, type HistoryRow, type RequestRow } from '../../certificates/index.ts';
import type { DetailRow, ListedRow } from './store.ts';

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined;

export const presentCertificate = (row: ListedRow, groups: readonly GroupDto[]): CertificateDto => ({
  uuid: row.uuid,
  commonName: row.common_name,
  serialNumber: orUndefined(row.serial_number),
  issuerCommonName: orUndefined(row.issuer_common_name),
  issuerDn: orUndefined(row.issuer_dn),
  subjectDn: row.subject_dn,
  notBefore: row.not_before?.toISOString(),
  notAfter: row.not_after?.toISOString(),
  publicKeyAlgorithm: row.public_key_algorithm,
  altPublicKeyAlgorithm: orUndefined(row.alt_public_key_algorithm),
  signatureAlgorithm: orUndefined(row.signature_algorithm),
  altSignatureAlgorithm: orUndefined(row.alt_signature_algorithm),
  hybridCertificate: row.hybrid_certificate,
  keySize: row.key_size,
  altKeySize: orUndefined(row.alt_key_size),
  state: shownState(row),
  validationStatus: row.validation_status,
  raProfile: raProfileOf(row),
  fingerprint: orUndefined(row.fingerprint),
  groups: [...groups],
  owner: orUndefined(row.owner_username),
  ownerUuid: orUndefined(row.owner_uuid),
  certificateType: row.certificate_type,
  issuerSerialNumber: orUndefined(row.issuer_serial_number),
  complianceStatus: row.compliance_status,
  issuerCertificateUuid: orUndefined(row.issuer_certificate_uuid),
  privateKeyAvailability: row.has_private_key,
  trustedCa: row.trusted_ca ?? false,
  isTrustMissing: row.is_trust_missing,
  archived: row.archived,
});

function purposesIn(usages: readonly string[]): FoundCertificateDto['purposes'] {
  const purposes = namedPurposes(usages);
  return purposes.length === 0 ? undefined : purposes;
}

/** Adds the search result fields that are not part of the published interface. */
export const presentFound = (row: ListedRow, groups: readonly GroupDto[]): FoundCertificateDto => ({
  ...presentCertificate(row, groups),
  createdAt: row.created_at.toISOString(),
  protocol: publishedProtocol(row),
  purposes: purposesIn(row.extended_key_usage),
  alternativeName: firstNameOf(row.names_without_common_name ?? {}),
});

/** The kinds of names by which users recognize a certificate come first. */
const KINDS = ['dNSName', 'iPAddress', 'rfc822Name', 'uniformResourceIdentifier'] as const;

const firstNameOf = (names: Readonly<Record<string, readonly string[]>>): string | undefined =>
  [...KINDS, ...Object.keys(names)].map((kind) => names[kind]?.[0]).find((name) => name !== undefined);

function raProfileOf(row: ListedRow): CertificateDto['raProfile'] {
  if (row.ra_profile_uuid === null || row.profile_name === null) return undefined;
  return {
    uuid: row.ra_profile_uuid,
    name: row.profile_name,
    enabled: row.profile_enabled ?? false,
    authorityInstanceUuid: orUndefined(row.profile_authority_uuid),
  };
}

export interface DetailParts {
  /** Returns the name of an extended key usage. */
  readonly keyUsage: (oid: string) => string;
  readonly groups: readonly GroupDto[];
  readonly request: RequestRow | undefined;
  readonly metadata: MetadataResponseDto[];
  readonly customAttributes: ResponseAttributeDto[];
  readonly issueAttributes: ResponseAttributeDto[];
  readonly revokeAttributes: ResponseAttributeDto[];
  readonly relatedCertificates: CertificateDto[];
  readonly nonCompliantRules: readonly CertificateComplianceResultDto[];
  readonly key: KeyDto | undefined;
  readonly altKey: KeyDto | undefined;
  /** Predecessor of this certificate. */
  readonly sourceCertificateUuid: string | undefined;
}

export const presentDetail = (row: DetailRow, parts: DetailParts): CertificateDetailDto => ({
  ...presentCertificate(row, parts.groups),
  extendedKeyUsage: row.extended_key_usage.map(parts.keyUsage),
  keyUsage: keyUsagesOf(row.key_usage),
  subjectType: orUndefined(row.subject_type),
  metadata: parts.metadata,
  certificateContent: row.der?.toString('base64'),
  subjectAlternativeNames: row.subject_alternative_names,
  locations: [],
  nonCompliantRules: [...parts.nonCompliantRules],
  customAttributes: parts.customAttributes,
  key: parts.key,
  altKey: parts.altKey,
  certificateRequest: parts.request ? presentRequest(parts.request) : undefined,
  sourceCertificateUuid: parts.sourceCertificateUuid,
  issueAttributes: parts.issueAttributes,
  revokeAttributes: parts.revokeAttributes,
  relatedCertificates: parts.relatedCertificates,
  protocolInfo: protocolOf(row),
  revokedAt: row.revoked_at?.toISOString(),
  revocationReason: orUndefined(row.revocation_reason),
  revocationSource: orUndefined(row.revocation_source),
});

function protocolOf(row: DetailRow): CertificateDetailDto['protocolInfo'] {
  const protocol = publishedProtocol(row);
  if (protocol === undefined || row.protocol_profile_uuid === null) return undefined;
  const { protocol_profile_uuid: protocolProfileUuid, protocol_account_uuid: accountUuid } = row;
  return { protocol, protocolProfileUuid, additionalProtocolUuid: orUndefined(accountUuid) };
}

/** The published interface does not define EST. */
const publishedProtocol = ({ protocol }: Pick<DetailRow, 'protocol'>) =>
  protocol === null || protocol === 'est' ? undefined : protocol;

const presentRequest = (row: RequestRow): CertificateRequestDto => ({
  uuid: row.uuid,
  certificateType: 'X.509',
  certificateRequestFormat: row.format,
  publicKeyAlgorithm: row.public_key_algorithm,
  signatureAlgorithm: row.signature_algorithm,
  altSignatureAlgorithm: orUndefined(row.alt_signature_algorithm),
  content: row.der.toString('base64'),
  commonName: row.common_name,
  subjectDn: row.subject_dn,
  subjectAlternativeNames: row.subject_alternative_names,
  attributes: [],
  signatureAttributes: [],
  complianceStatus: row.compliance_status,
});

export const presentHistory = (row: HistoryRow): CertificateEventHistoryDto => ({
  uuid: row.uuid,
  certificateUuid: row.certificate_uuid,
  created: row.created_at.toISOString(),
  createdBy: row.created_by,
  event: row.event,
  status: row.status,
  message: row.message,
  additionalInformation: row.additional === null ? undefined : presentAdditional(row.additional),
});
