-- Certificate bytes, apart from the listed columns so that lists read narrow rows. Shared by fingerprint.
CREATE TABLE certificate_content (
  fingerprint text PRIMARY KEY,
  der bytea NOT NULL
);

-- Certification requests as received. One row per distinct request, shared by the certificates made from it.
CREATE TABLE certificate_request (
  uuid uuid PRIMARY KEY,
  fingerprint text NOT NULL UNIQUE,
  format text NOT NULL,
  der bytea NOT NULL,
  common_name text NOT NULL,
  subject_dn text NOT NULL,
  subject_dn_normalized text NOT NULL,
  public_key_algorithm text NOT NULL,
  public_key_fingerprint text NOT NULL,
  key_size integer NOT NULL,
  signature_algorithm text NOT NULL,
  subject_alternative_names jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

-- The inventory. Identifiers are UUIDv7, so the primary key is also the order of creation.
CREATE TABLE certificate (
  uuid uuid PRIMARY KEY,
  state text NOT NULL,
  validation_status text NOT NULL DEFAULT 'not_checked',
  compliance_status text NOT NULL DEFAULT 'not_checked',
  certificate_type text NOT NULL DEFAULT 'X.509',
  common_name text NOT NULL,
  subject_dn text NOT NULL,
  subject_dn_normalized text NOT NULL,
  issuer_common_name text,
  issuer_dn text,
  issuer_dn_normalized text,
  serial_number text,
  fingerprint text,
  not_before timestamptz,
  not_after timestamptz,
  public_key_algorithm text NOT NULL,
  public_key_fingerprint text NOT NULL,
  key_size integer NOT NULL,
  signature_algorithm text,
  alt_public_key_algorithm text,
  alt_signature_algorithm text,
  alt_key_size integer,
  hybrid_certificate boolean NOT NULL DEFAULT false,
  key_usage integer NOT NULL DEFAULT 0,
  extended_key_usage text[] NOT NULL DEFAULT '{}',
  subject_type text,
  trusted_ca boolean,
  subject_alternative_names jsonb NOT NULL DEFAULT '{}',
  issuer_certificate_uuid uuid,
  issuer_serial_number text,
  ra_profile_uuid uuid,
  request_uuid uuid REFERENCES certificate_request (uuid),
  owner_uuid uuid,
  owner_username text,
  protocol text,
  protocol_profile_uuid uuid,
  protocol_account_uuid uuid,
  revoked_at timestamptz,
  revocation_reason text,
  validation_result jsonb,
  validated_at timestamptz,
  archived boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 85);

-- One object per certificate, whatever way it came in.
CREATE UNIQUE INDEX certificate_fingerprint_key ON certificate (fingerprint) WHERE fingerprint IS NOT NULL AND state <> 'failed';
-- A serial number is used once per issuer (RFC 5280 section 4.1.2.2).
CREATE UNIQUE INDEX certificate_issuer_serial_key ON certificate (issuer_certificate_uuid, serial_number) WHERE issuer_certificate_uuid IS NOT NULL AND state <> 'failed';
CREATE INDEX certificate_by_serial ON certificate (serial_number) WHERE serial_number IS NOT NULL;
CREATE INDEX certificate_by_expiry ON certificate (not_after) WHERE NOT archived AND not_after IS NOT NULL;
CREATE INDEX certificate_by_ra_profile ON certificate (ra_profile_uuid);
CREATE INDEX certificate_by_protocol_account ON certificate (protocol_account_uuid) WHERE protocol_account_uuid IS NOT NULL;
-- Issuer search of chain building looks among CA certificates only.
CREATE INDEX certificate_ca_by_subject ON certificate (subject_dn_normalized) WHERE trusted_ca IS NOT NULL;

-- What happened to a certificate, as its history shows it.
CREATE TABLE certificate_history (
  uuid uuid PRIMARY KEY,
  certificate_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  event text NOT NULL,
  status text NOT NULL,
  message text NOT NULL,
  additional jsonb,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL
);

CREATE INDEX certificate_history_by_certificate ON certificate_history (certificate_uuid, created_at);

-- Intents: work asked of an authority, committed before the call that may sign or revoke. `uuid` is the idempotency key.
-- pending: to be carried out, by `leased_by` until `leased_until`; undecided: outcome unknown, a person or the
-- appearance of the certificate settles it; done, failed: ended.
CREATE TABLE certificate_operation (
  uuid uuid PRIMARY KEY,
  certificate_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  kind text NOT NULL,
  state text NOT NULL,
  ra_profile_uuid uuid NOT NULL,
  predecessor_uuid uuid,
  requester_uuid uuid,
  requester_name text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  leased_by uuid NOT NULL,
  leased_until timestamptz NOT NULL,
  last_problem text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
) WITH (fillfactor = 85);

CREATE INDEX certificate_operation_pending ON certificate_operation (leased_until) WHERE state = 'pending';
CREATE INDEX certificate_operation_by_certificate ON certificate_operation (certificate_uuid);

-- Successor relations: renewal, rekey, replacement, and pending until the successor is issued.
CREATE TABLE certificate_relation (
  successor_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  predecessor_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  relation_type text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (successor_uuid, predecessor_uuid)
);

CREATE INDEX certificate_relation_by_predecessor ON certificate_relation (predecessor_uuid);

-- Keys of list pages and exact totals are read from this index alone.
CREATE INDEX certificate_listed ON certificate (uuid) WHERE NOT archived;
-- An undecided certificate is found by its key when it turns up.
CREATE INDEX certificate_pending_by_key ON certificate (public_key_fingerprint) WHERE state = 'pending_issue';
CREATE INDEX certificate_failed_by_fingerprint ON certificate (fingerprint) WHERE state = 'failed' AND fingerprint IS NOT NULL;
-- Re-validation takes the ones that were looked at longest ago.
CREATE INDEX certificate_by_validation ON certificate (validated_at NULLS FIRST) WHERE NOT archived AND state = 'issued';
-- A key that was revoked as compromised is not certified again.
CREATE INDEX certificate_compromised_key ON certificate (public_key_fingerprint) WHERE revocation_reason = 'keyCompromise';
