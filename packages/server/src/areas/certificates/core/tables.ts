// Rows of the tables that this area owns (migrations 0005-certificates and 0011-certificate-text).
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
    /** Null for what is not a CA. */
    trusted_ca: boolean | null;
    subject_alternative_names: Record<string, string[]>;
    issuer_certificate_uuid: string | null;
    issuer_serial_number: string | null;
    /** Its issuer had used the serial number before: true for what came in later. */
    repeats_serial: boolean | null;
    ra_profile_uuid: string | null;
    request_uuid: string | null;
    owner_uuid: string | null;
    owner_username: string | null;
    /**
     * Set when a protocol server asked for it, with the profile of the protocol and its account where it has accounts.
     */
    protocol: Code<typeof CertificateProtocol> | 'est' | null;
    protocol_profile_uuid: string | null;
    protocol_account_uuid: string | null;
    revoked_at: Date | null;
    revocation_reason: Code<typeof CertificateRevocationReason> | null;
    /** `CRL` or `OCSP` and the URL that stated the revocation; null when the platform revoked the certificate. */
    revocation_source: string | null;
    /** thisUpdate of that CRL or OCSP response. */
    revocation_stated_at: Date | null;
    validation_result: object | null;
    validated_at: Date | null;
    /** When its record was written; null for what was not issued here. */
    issued_at: Date | null;
    archived: boolean;
    /** Its revocation is asked for and not approved yet; see `shownState`. */
    revocation_awaits_approval: boolean;
    created_at: Date;
    updated_at: Date;
  };
  /** Kept by triggers. */
  certificate_text: {
    certificate_uuid: string;
    archived: boolean;
    /** What free text is looked for in. */
    text: string;
    common_name: string;
    /** As JSON. */
    alternative_names: string;
  };
  /** When it was last validated, and when time alone changes its status (migration 0046-validation-runs). */
  certificate_check: { certificate_uuid: string; checked_at: Date; due_at: Date | null };
  certificate_validation_run: {
    uuid: string;
    started_at: Date;
    started_by: string;
    total: number;
    processed: number;
    changed: number;
    cursor: string | null;
    leased_by: string | null;
    leased_until: Date | null;
    /** Time that nodes worked on it: what a rate is made of. */
    working_ms: number;
    finished_at: Date | null;
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
  certificate_operation: {
    uuid: string;
    certificate_uuid: string;
    kind: OperationKind;
    state: 'awaiting_approval' | 'pending' | 'undecided' | 'done' | 'failed';
    ra_profile_uuid: string;
    predecessor_uuid: string | null;
    requester_uuid: string | null;
    requester_name: string;
    payload: OperationPayload;
    /** 0 while it waits for approval; then the first attempt is that of whoever takes it over. */
    attempts: number;
    leased_by: string;
    leased_until: Date;
    last_problem: string | null;
    created_at: Date;
    finished_at: Date | null;
  };
  /** At authorities of the first generation (migration 0033-end-entities). */
  certificate_end_entity: {
    certificate_uuid: string;
    username: string;
    /** Null when the operation has ended. */
    sealed_password: Buffer | null;
  };
  certificate_relation: {
    successor_uuid: string;
    predecessor_uuid: string;
    relation_type: Code<typeof CertificateRelationType>;
    created_at: Date;
  };
};

export type OperationKind = 'issue' | 'renew' | 'rekey' | 'revoke';

/**
 * What the call to the authority needs beyond the rows it refers to. Attributes are kept, sealed, by their own area.
 */
export interface OperationPayload {
  /** `removeFromCRL` releases the certificate from hold. */
  readonly reason?: Code<typeof CertificateRevocationReason> | 'removeFromCRL';
  /** Of a revocation, whether the key is to be destroyed afterwards. */
  readonly destroysKey?: true;
  /** Name of the end entity, whose password is kept until the operation ends. */
  readonly endEntity?: string;
}

export type CertificateRow = CertificateTables['certificate'];
export type RequestRow = Selectable<CertificateTables['certificate_request']>;
export type HistoryRow = CertificateTables['certificate_history'];
export type OperationRow = CertificateTables['certificate_operation'];

/** The part of other areas' tables that lists and validations read. */
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
