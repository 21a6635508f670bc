// Rows of the tables that the area owns (migration 0008-acme).
import type { Generated, Selectable } from 'kysely';

export type AcmeProfileTables = {
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
};

/** As it is read; `version` is counted by the store. */
export type AcmeProfileRow = Selectable<AcmeProfileTables['acme_profile']>;
export type AcmeActivationRow = Selectable<AcmeProfileTables['acme_activation']>;
export type AcmeEabKeyRow = Selectable<AcmeProfileTables['acme_eab_key']>;
