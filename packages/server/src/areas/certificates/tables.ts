// Rows of this area's tables (migration 0005-certificates).
import type {
  CertificateEvent,
  CertificateEventStatus,
  CertificateProtocol,
  CertificateRelationType,
  CertificateRevocationReason,
  CertificateState,
  CertificateSubjectType,
  CertificateValidationStatus,
  ComplianceStatus,
} from '@signetry/contract';
import type { Generated, Selectable } from 'kysely';
import type { z } from 'zod';

type Code<Enum extends z.ZodType> = z.output<Enum>;

export type CertificateTables = {
  certificate: {
    uuid: string;
    state: Code<typeof CertificateState>;
    validation_status: Code<typeof CertificateValidationStatus>;
    compliance_status: Code<typeof ComplianceStatus>;
    certificate_type: 'X.509';
    common_name: string;
    subject_dn: string;
    subject_dn_normalized: string;
    issuer_common_name: string | null;
    issuer_dn: string | null;
    issuer_dn_normalized: string | null;
    serial_number: string | null;
    fingerprint: string | null;
    not_before: Date | null;
    not_after: Date | null;
    public_key_algorithm: string;
    public_key_fingerprint: string;
    key_size: number;
    signature_algorithm: string | null;
    alt_public_key_algorithm: string | null;
    alt_signature_algorithm: string | null;
    alt_key_size: number | null;
    hybrid_certificate: boolean;
    /** Bit n is usage n of RFC 5280 §4.2.1.3. */
    key_usage: number;
    extended_key_usage: string[];
    subject_type: Code<typeof CertificateSubjectType> | null;
    /** Null if the certificate is not a CA certificate. */
    trusted_ca: boolean | null;
    subject_alternative_names: Record<string, string[]>;
    issuer_certificate_uuid: string | null;
    issuer_serial_number: string | null;
    /** Whether its issuer had already used the serial number: true for the certificate received later. */
    repeats_serial: boolean | null;
    ra_profile_uuid: string | null;
    request_uuid: string | null;
    owner_uuid: string | null;
    owner_username: string | null;
    /**
     * Set if a protocol server requested it, with the protocol profile, and the account if the protocol has accounts.
     */
    protocol: Code<typeof CertificateProtocol> | 'est' | null;
    protocol_profile_uuid: string | null;
    protocol_account_uuid: string | null;
    revoked_at: Date | null;
    revocation_reason: Code<typeof CertificateRevocationReason> | null;
    /** `CRL` or `OCSP` and the URL that reported the revocation; null if the platform revoked the certificate. */
    revocation_source: string | null;
    /** The thisUpdate of that CRL or OCSP response. */
    revocation_stated_at: Date | null;
    validation_result: object | null;
    validated_at: Date | null;
    /** Time at which the certificate was recorded as issued; null if it was not issued here. */
    issued_at: Date | null;
    archived: boolean;
    /** Whether a revocation has been requested but not yet approved; see `shownState`. */
    revocation_awaits_approval: boolean;
    created_at: Date;
    updated_at: Date;
  };
  certificate_content: { fingerprint: string; der: Buffer };
  certificate_request: {
    uuid: string;
    fingerprint: string;
    format: 'pkcs10' | 'crmf';
    der: Buffer;
    common_name: string;
    subject_dn: string;
    subject_dn_normalized: string;
    public_key_algorithm: string;
    public_key_fingerprint: string;
    key_size: number;
    signature_algorithm: string;
    alt_public_key_algorithm: string | null;
    alt_key_size: number | null;
    alt_signature_algorithm: string | null;
    subject_alternative_names: Record<string, string[]>;
    compliance_status: Generated<Code<typeof ComplianceStatus>>;
    created_at: Date;
  };
  certificate_history: {
    uuid: string;
    certificate_uuid: string;
    event: Code<typeof CertificateEvent>;
    status: Code<typeof CertificateEventStatus>;
    message: string;
    additional: Record<string, unknown> | null;
    created_at: Date;
    created_by: string;
  };
  certificate_relation: {
    successor_uuid: string;
    predecessor_uuid: string;
    relation_type: Code<typeof CertificateRelationType>;
    created_at: Date;
  };
};

export type CertificateRow = CertificateTables['certificate'];
export type RequestRow = Selectable<CertificateTables['certificate_request']>;
export type HistoryRow = CertificateTables['certificate_history'];

/** Columns of other areas' tables that lists and validations read. */
export type JoinedTables = {
  ra_profile: {
    uuid: string;
    name: string;
    enabled: boolean;
    internal: boolean;
    authority_uuid: string | null;
    ca_certificate_uuid: string | null;
    validation_enabled: boolean | null;
    validation_frequency_days: number | null;
    validation_expiring_threshold_days: number | null;
  };
  authority: { uuid: string; connector_uuid: string | null };
};
