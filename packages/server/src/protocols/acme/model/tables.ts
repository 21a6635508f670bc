// Rows of the protocol's tables (migrations 0008-acme, 0024-acme-policies, 0025-reused-acme-orders and
// 0026-acme-dns-challenges).
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Identifier, StoredProblem } from './vocabulary.ts';

/** Written as JSON text, read as a value. */
type Json<Value> = ColumnType<Value, string, string>;

export type AcmeTables = {
  /** Read-only here, because the ACME profiles area owns this table. */
  acme_profile: { uuid: string; name: string; ra_profile_uuid: string | null };
  acme_account: {
    uuid: string;
    account_id: string;
    acme_profile_uuid: string;
    /** Set for accounts created under the name of an RA profile. */
    ra_profile_uuid: string | null;
    status: 'valid' | 'deactivated' | 'revoked';
    enabled: boolean;
    key_thumbprint: string;
    /** Thumbprints of former keys, newest first. */
    former_key_thumbprints: Generated<string[]>;
    jwk: Json<Readonly<Record<string, string>>>;
    contact: string[];
    terms_of_service_agreed: boolean;
    eab_key_uuid: string | null;
    eab_key_id: string | null;
    /** Number of orders removed by the clean-up job. */
    successful_orders_gone: Generated<number>;
    failed_orders_gone: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  acme_order: {
    uuid: string;
    account_uuid: string;
    /** `ready` is derived from the authorizations; `valid` is derived from the certificate until it is stored. */
    status: 'pending' | 'processing' | 'valid' | 'invalid';
    identifiers: Json<readonly Identifier[]>;
    /** Identifiers as sorted `type:value` strings. */
    names: string[];
    authorization_uuids: string[];
    not_before: Date | null;
    not_after: Date | null;
    replaces: string | null;
    /** Name of the offered profile that the order selected; null if the ACME profile's RA profile applies. */
    profile: string | null;
    replaced_certificate_uuid: string | null;
    csr: Buffer | null;
    certificate_uuid: string | null;
    /** Node that processes the order until `leased_until`. */
    leased_by: string | null;
    leased_until: Date | null;
    error: Json<StoredProblem> | null;
    expires_at: Date;
    created_at: Date;
    /** Digest of everything requested in the order; only one open order has it (place-order.ts). */
    reuse_key: string | null;
  };
  acme_authorization: {
    uuid: string;
    account_uuid: string;
    /** Order that created the authorization. Other orders can use the authorization once it is valid. */
    order_uuid: string;
    identifier_type: string;
    identifier_value: string;
    wildcard: boolean;
    status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'revoked';
    token: string;
    challenge_type: string | null;
    challenge_status: 'processing' | 'valid' | 'invalid' | null;
    error: Json<StoredProblem> | null;
    validated_at: Date | null;
    /** Origin that the client used for its response; null for the platform's public origin. */
    origin: string | null;
    leased_by: string | null;
    leased_until: Date | null;
    expires_at: Date;
    created_at: Date;
  };
  acme_used_nonce: { uuid: string };
  acme_renewal_window: {
    certificate_uuid: string;
    starts_at: Date;
    ends_at: Date;
    explanation_url: string | null;
    certificate_expires_at: Date;
    created_at: Date;
  };
};

export type AcmeAccountRow = Selectable<AcmeTables['acme_account']>;
