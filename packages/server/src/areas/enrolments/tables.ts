// Row types for this area's tables (migration `0088-enrolments`).
import type { EnrolmentProtocol, EnrolmentState } from '@signetry/contract';
import type { WrittenNames } from './bound-names.ts';

/** Protocol-specific data stored with a transaction. */
export type EnrolmentDetail = Readonly<Record<string, unknown>>;

export type EnrolmentTables = {
  enrolment: {
    uuid: string;
    protocol: EnrolmentProtocol;
    profile_uuid: string;
    profile_name: string;
    ra_profile_uuid: string | null;
    transaction_id: string;
    kind: string;
    requester: string;
    subject: string;
    request_fingerprint: string;
    certificate_uuid: string | null;
    state: EnrolmentState;
    problem: string | null;
    detail: EnrolmentDetail;
    created_at: Date;
    updated_at: Date;
  };
  enrolment_secret: {
    uuid: string;
    protocol: EnrolmentProtocol;
    ra_profile_uuid: string;
    reference: string;
    secret_hash: string;
    /** Base64. */
    sealed_secret: string;
    subject: string | null;
    subject_normalized: string | null;
    alt_names: WrittenNames;
    created_at: Date;
    created_by: string;
    expires_at: Date;
    withdrawn_at: Date | null;
    used_at: Date | null;
    enrolment_uuid: string | null;
  };
};

export type EnrolmentRow = EnrolmentTables['enrolment'];
/** Started enrollment, with a reserved certificate. */
export type BegunRow = EnrolmentRow & { readonly certificate_uuid: string };
export type SecretRow = EnrolmentTables['enrolment_secret'];
