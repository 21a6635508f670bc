-- SCEP profiles: under which rules clients of the protocol get certificates. The columns that they share with the
-- profiles of other protocols are explained in 0008-acme.
CREATE TABLE scep_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT scep_profile_name_key UNIQUE,
  description text,
  enabled boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ra_profile_uuid uuid,
  connector_uuid uuid,
  -- Stays when the certificate is deleted: the server then says that it is missing.
  ca_certificate_uuid uuid NOT NULL,
  renewal_threshold_days integer NOT NULL,
  include_ca_certificate boolean NOT NULL,
  include_ca_certificate_chain boolean NOT NULL,
  sealed_challenge_password text,
  enable_intune boolean NOT NULL,
  intune_tenant text,
  intune_application_id text,
  sealed_intune_application_key text,
  allow_old_clients boolean NOT NULL,
  require_manual_approval boolean NOT NULL,
  one_time_challenges boolean NOT NULL,
  challenge_webhook_url text,
  owner_uuid uuid,
  group_uuids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX scep_profile_by_ra_profile ON scep_profile (ra_profile_uuid);

-- SCEP served under the name of an RA profile.
CREATE TABLE scep_activation (
  ra_profile_uuid uuid PRIMARY KEY,
  scep_profile_uuid uuid NOT NULL REFERENCES scep_profile (uuid) ON DELETE CASCADE,
  connector_uuid uuid NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX scep_activation_by_profile ON scep_activation (scep_profile_uuid);
