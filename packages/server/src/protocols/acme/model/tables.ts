// Rows of the tables that ACME owns (migration 0008-acme).
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Identifier, StoredProblem } from './vocabulary.ts';

/** Handed in as JSON text, read as a value. */
type Json<Value> = ColumnType<Value, string, string>;

export type AcmeTables = {
  acme_profile: {
    uuid: string;
    name: string;
    description: string | null;
    enabled: boolean;
    /** Grows with every change of the profile or of its activations. */
    version: Generated<number>;
    ra_profile_uuid: string | null;
    /** Connector of the RA profile, under which the attributes of the profile are kept. */
    connector_uuid: string | null;
    retry_interval_s: number;
    validity_s: number;
    /** Empty: the resolver of the system. */
    dns_resolver_ip: string | null;
    dns_resolver_port: number;
    require_contact: boolean;
    require_terms_of_service: boolean;
    terms_of_service_url: string | null;
    website_url: string | null;
    terms_of_service_change_disable: boolean;
    terms_of_service_change_url: string | null;
    external_account_required: boolean;
    /** Names that a CAA record may permit; empty: CAA is not checked. */
    caa_identities: string[];
    /** How long a proof of control may be used for further orders; 0: every order proves anew. */
    authorization_reuse_s: number;
    allow_loopback_validation: boolean;
    /** Owner and groups of certificates issued under the profile. */
    owner_uuid: string | null;
    group_uuids: string[];
    created_at: Date;
    updated_at: Date;
  };
  acme_activation: {
    ra_profile_uuid: string;
    acme_profile_uuid: string;
    /** Connector of the RA profile, under which the attributes of the activation are kept. */
    connector_uuid: string;
    created_at: Date;
  };
  acme_eab_key: {
    uuid: string;
    acme_profile_uuid: string;
    key_id: string;
    description: string | null;
    /** Base64 of the sealed MAC key. */
    sealed_mac_key: string;
    reusable: boolean;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
    accounts_bound: Generated<number>;
    created_at: Date;
    created_by: string;
  };
  acme_account: {
    uuid: string;
    account_id: string;
    acme_profile_uuid: string;
    /** Set for accounts made under the name of an RA profile. */
    ra_profile_uuid: string | null;
    status: 'valid' | 'deactivated' | 'revoked';
    enabled: boolean;
    key_thumbprint: string;
    jwk: Json<Readonly<Record<string, string>>>;
    contact: string[];
    terms_of_service_agreed: boolean;
    eab_key_uuid: string | null;
    eab_key_id: string | null;
    /** Orders that the clean-up removed. */
    successful_orders_gone: Generated<number>;
    failed_orders_gone: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  acme_order: {
    uuid: string;
    account_uuid: string;
    /** `ready` follows from the authorizations; `valid` follows from the certificate until it is stored. */
    status: 'pending' | 'processing' | 'valid' | 'invalid';
    identifiers: Json<readonly Identifier[]>;
    /** The identifiers as sorted `type:value`. */
    names: string[];
    authorization_uuids: string[];
    not_before: Date | null;
    not_after: Date | null;
    replaces: string | null;
    replaced_certificate_uuid: string | null;
    csr: Buffer | null;
    certificate_uuid: string | null;
    /** The node that looks after it until `leased_until`. */
    leased_by: string | null;
    leased_until: Date | null;
    error: Json<StoredProblem> | null;
    expires_at: Date;
    created_at: Date;
  };
  acme_authorization: {
    uuid: string;
    account_uuid: string;
    /** The order that made it; others may use it once it is valid. */
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

/** As it is read; `version` is counted by the store. */
export type AcmeProfileRow = Selectable<AcmeTables['acme_profile']>;
export type AcmeActivationRow = Selectable<AcmeTables['acme_activation']>;
export type AcmeEabKeyRow = Selectable<AcmeTables['acme_eab_key']>;
export type AcmeAccountRow = Selectable<AcmeTables['acme_account']>;
