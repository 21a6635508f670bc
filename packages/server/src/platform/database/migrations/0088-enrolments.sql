-- What became of requests for certificates that came over CMP, SCEP and EST. The certificate is named before anything is
-- asked for; a refusal that began nothing has none.
CREATE TABLE enrolment (
  uuid uuid PRIMARY KEY,
  protocol text NOT NULL,
  profile_uuid uuid NOT NULL,
  profile_name text NOT NULL,
  ra_profile_uuid uuid,
  transaction_id text NOT NULL,
  kind text NOT NULL,
  requester text NOT NULL,
  subject text NOT NULL,
  -- Lower-case hex SHA-256 of the DER of the request; empty where it could not be read.
  request_fingerprint text NOT NULL,
  certificate_uuid uuid,
  state text NOT NULL,
  problem text,
  -- What the protocol remembers with it.
  detail jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX enrolment_transaction_key ON enrolment (protocol, profile_uuid, transaction_id)
  WHERE certificate_uuid IS NOT NULL;
CREATE INDEX enrolment_by_ra_profile ON enrolment (ra_profile_uuid, uuid DESC);
CREATE INDEX enrolment_by_profile ON enrolment (profile_uuid, uuid DESC);
CREATE INDEX enrolment_ended ON enrolment (updated_at) WHERE state <> 'waiting';

-- Secrets that are handed out for one request.
CREATE TABLE enrolment_secret (
  uuid uuid PRIMARY KEY,
  protocol text NOT NULL,
  ra_profile_uuid uuid NOT NULL REFERENCES ra_profile (uuid) ON DELETE CASCADE,
  reference text NOT NULL CONSTRAINT enrolment_secret_reference_key UNIQUE,
  -- By which it is found: lower-case hex SHA-256. It has 160 random bits, so nobody finds it from this.
  secret_hash text NOT NULL CONSTRAINT enrolment_secret_hash_key UNIQUE,
  -- CMP computes with it.
  sealed_secret text NOT NULL,
  -- As it was asked for, and in the normal form in which it is compared.
  subject text,
  subject_normalized text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  used_at timestamptz,
  enrolment_uuid uuid
);

CREATE INDEX enrolment_secret_by_ra_profile ON enrolment_secret (ra_profile_uuid, uuid DESC);
