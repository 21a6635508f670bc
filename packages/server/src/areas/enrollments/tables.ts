// Row types for this area's tables (migrations `0088-enrolments`, `0119-enrollment-address`).
import type { EnrollmentProtocol, EnrollmentState, ListedProtocol } from '@signetry/contract';
import type { EnteredNames } from './bound-names.ts';

/** Protocol-specific data stored with a transaction. */
export type EnrollmentDetail = Readonly<Record<string, unknown>>;

export type EnrollmentTables = {
  enrollment: {
    uuid: string;
    protocol: ListedProtocol;
    profile_uuid: string;
    profile_name: string;
    ra_profile_uuid: string | null;
    transaction_id: string;
    kind: string;
    requester: string;
    subject: string;
    request_fingerprint: string;
    certificate_uuid: string | null;
    state: EnrollmentState;
    problem: string | null;
    /** IP address from which the first message was received; null if unknown. */
    address: string | null;
    detail: EnrollmentDetail;
    created_at: Date;
    updated_at: Date;
  };
  enrollment_secret: {
    uuid: string;
    protocol: EnrollmentProtocol;
    ra_profile_uuid: string;
    reference: string;
    secret_hash: string;
    /** Base64. */
    sealed_secret: string;
    subject: string | null;
    subject_normalized: string | null;
    alt_names: EnteredNames;
    created_at: Date;
    created_by: string;
    expires_at: Date;
    withdrawn_at: Date | null;
    used_at: Date | null;
    enrollment_uuid: string | null;
  };
};

export type EnrollmentRow = EnrollmentTables['enrollment'];
/** Started enrollment, with a reserved certificate. */
export type BegunRow = EnrollmentRow & { readonly certificate_uuid: string };
export type SecretRow = EnrollmentTables['enrollment_secret'];
