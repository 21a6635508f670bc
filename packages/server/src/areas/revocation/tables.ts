// Rows of this area's tables (migrations 0007-revocation and 0021-crl-shards).
import type { CrlKind, TaskName, TaskOutcome } from './publication-times.ts';

export type RevocationTables = {
  authority_issuer: {
    authority_uuid: string;
    certificate_uuid: string;
    der: Buffer;
    first_seen_at: Date;
  };
  published_crl: {
    authority_uuid: string;
    kind: CrlKind;
    /** Number of the CRL partition, as in `kind`. */
    shard: number | null;
    /** Identifies the CA by name and key; see `issuerHashKey`. */
    issuer_key: string;
    /** Decimal digits: a CRL number can be up to 20 bytes long. */
    number: string;
    base_number: string | null;
    this_update: Date;
    next_update: Date;
    /** Lowercase hex SHA-256 of `der`. */
    sha256: string;
    der: Buffer;
    published_at: Date;
  };
  ocsp_responder: {
    uuid: string;
    authority_uuid: string;
    sealed_key: Buffer;
    /** SubjectPublicKeyInfo in DER. */
    public_key: Buffer;
    certificate_uuid: string | null;
    issuer_key: string | null;
    certificate: Buffer | null;
    not_before: Date | null;
    not_after: Date | null;
    created_at: Date;
  };
  revocation_duty: {
    authority_uuid: string;
    duty: TaskName;
    lease_uuid: string | null;
    leased_until: Date | null;
    outcome: TaskOutcome | null;
    failures: number;
    due_at: Date;
    last_problem: string | null;
  };
};

export type IssuerRow = RevocationTables['authority_issuer'];
export type CrlRow = RevocationTables['published_crl'];
export type CrlFacts = Omit<CrlRow, 'der'>;
export type ResponderRow = RevocationTables['ocsp_responder'];
