-- ACME profiles: under which rules clients of the protocol get certificates. `version` grows with every change of a
-- profile or of its activations, so that a request can tell in its own statement whether what it remembers still holds.
-- `connector_uuid` is the connector of the RA profile, under which the attributes of the profile are kept.
CREATE TABLE acme_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT acme_profile_name_key UNIQUE,
  description text,
  enabled boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ra_profile_uuid uuid,
  connector_uuid uuid,
  retry_interval_s integer NOT NULL,
  validity_s integer NOT NULL,
  dns_resolver_ip text,
  dns_resolver_port integer NOT NULL,
  require_contact boolean NOT NULL,
  require_terms_of_service boolean NOT NULL,
  terms_of_service_url text,
  website_url text,
  terms_of_service_change_disable boolean NOT NULL,
  terms_of_service_change_url text,
  external_account_required boolean NOT NULL,
  caa_identities text[] NOT NULL,
  authorization_reuse_s integer NOT NULL,
  allow_loopback_validation boolean NOT NULL,
  owner_uuid uuid,
  group_uuids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX acme_profile_by_ra_profile ON acme_profile (ra_profile_uuid);

-- ACME served under the name of an RA profile. `connector_uuid` as above.
CREATE TABLE acme_activation (
  ra_profile_uuid uuid PRIMARY KEY,
  acme_profile_uuid uuid NOT NULL REFERENCES acme_profile (uuid) ON DELETE CASCADE,
  connector_uuid uuid NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX acme_activation_by_profile ON acme_activation (acme_profile_uuid);

-- Keys of external account binding (RFC 8555 section 7.3.4). The MAC key is sealed.
CREATE TABLE acme_eab_key (
  uuid uuid PRIMARY KEY,
  acme_profile_uuid uuid NOT NULL REFERENCES acme_profile (uuid) ON DELETE CASCADE,
  key_id text NOT NULL UNIQUE,
  description text,
  sealed_mac_key text NOT NULL,
  reusable boolean NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  accounts_bound integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL
);

CREATE INDEX acme_eab_key_by_profile ON acme_eab_key (acme_profile_uuid);

-- Accounts. `ra_profile_uuid` is set for accounts made under the name of an RA profile; those live apart from the accounts of
-- the profile's own directory. The `*_gone` columns count orders that the clean-up removed, so that totals stay exact.
CREATE TABLE acme_account (
  uuid uuid PRIMARY KEY,
  account_id text NOT NULL UNIQUE,
  acme_profile_uuid uuid NOT NULL REFERENCES acme_profile (uuid) ON DELETE CASCADE,
  ra_profile_uuid uuid,
  status text NOT NULL,
  enabled boolean NOT NULL,
  key_thumbprint text NOT NULL,
  jwk jsonb NOT NULL,
  contact text[] NOT NULL,
  terms_of_service_agreed boolean NOT NULL,
  eab_key_uuid uuid REFERENCES acme_eab_key (uuid) ON DELETE SET NULL,
  eab_key_id text,
  successful_orders_gone integer NOT NULL DEFAULT 0,
  failed_orders_gone integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- One account per key (RFC 8555 section 7.3.1).
CREATE UNIQUE INDEX acme_account_key ON acme_account (acme_profile_uuid, ra_profile_uuid, key_thumbprint) NULLS NOT DISTINCT;

-- Orders. `names` are the identifiers as sorted `type:value`, to be compared with a request. `ready` is not stored: it follows from the authorizations. `valid` is stored late: until then it follows from the
-- certificate. The request is kept from finalize until the certificate exists, so that a crash between the two is repaired.
CREATE TABLE acme_order (
  uuid uuid PRIMARY KEY,
  account_uuid uuid NOT NULL,
  status text NOT NULL,
  identifiers jsonb NOT NULL,
  names text[] NOT NULL,
  authorization_uuids uuid[] NOT NULL,
  not_before timestamptz,
  not_after timestamptz,
  replaces text,
  replaced_certificate_uuid uuid,
  csr bytea,
  certificate_uuid uuid,
  leased_until timestamptz,
  error jsonb,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 80);

CREATE INDEX acme_order_by_account ON acme_order (account_uuid, uuid);
CREATE INDEX acme_order_processing ON acme_order (leased_until) WHERE status = 'processing';
CREATE INDEX acme_order_replacing ON acme_order (replaced_certificate_uuid) WHERE replaced_certificate_uuid IS NOT NULL;

-- Authorizations with their challenges. `order_uuid` is the order that made it; others may use it once it is valid. All challenges of one share its token, and one of them decides.
CREATE TABLE acme_authorization (
  uuid uuid PRIMARY KEY,
  account_uuid uuid NOT NULL,
  order_uuid uuid NOT NULL,
  identifier_type text NOT NULL,
  identifier_value text NOT NULL,
  wildcard boolean NOT NULL,
  status text NOT NULL,
  token text NOT NULL,
  challenge_type text,
  challenge_status text,
  error jsonb,
  validated_at timestamptz,
  leased_until timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 80);

CREATE INDEX acme_authorization_by_account ON acme_authorization (account_uuid, identifier_value) WHERE status = 'valid';
CREATE INDEX acme_authorization_processing ON acme_authorization (leased_until) WHERE challenge_status = 'processing';

-- Nonces that were used (RFC 8555 section 6.5). The identifier carries the time at which the nonce was made.
CREATE TABLE acme_used_nonce (
  uuid uuid PRIMARY KEY
);

-- When a certificate should be renewed, where that differs from the rule (RFC 9773).
CREATE TABLE acme_renewal_window (
  certificate_uuid uuid PRIMARY KEY,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  explanation_url text,
  certificate_expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX acme_renewal_window_by_expiry ON acme_renewal_window (certificate_expires_at);
