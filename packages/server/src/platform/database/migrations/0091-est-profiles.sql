-- EST profiles: under which rules clients of the protocol get certificates; the columns that every protocol has are
-- those of 0008-acme.
CREATE TABLE est_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT est_profile_name_key UNIQUE,
  description text,
  enabled boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ra_profile_uuid uuid,
  connector_uuid uuid,
  is_default boolean NOT NULL,
  own_certificates boolean NOT NULL,
  trusted_certificate_uuids uuid[] NOT NULL,
  one_time_passwords boolean NOT NULL,
  passwords_renew boolean NOT NULL,
  renewals_keep_names boolean NOT NULL,
  require_linking boolean NOT NULL,
  requested_attributes jsonb NOT NULL,
  manual_approval boolean NOT NULL,
  retry_after_s integer NOT NULL,
  usernames text[] NOT NULL,
  -- Base64 of the sealed passwords, as JSON by user name.
  sealed_passwords text,
  owner_uuid uuid,
  group_uuids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX est_profile_by_ra_profile ON est_profile (ra_profile_uuid);
CREATE UNIQUE INDEX est_profile_default ON est_profile (is_default) WHERE is_default;

CREATE TABLE est_activation (
  ra_profile_uuid uuid PRIMARY KEY,
  est_profile_uuid uuid NOT NULL REFERENCES est_profile (uuid) ON DELETE CASCADE,
  connector_uuid uuid NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX est_activation_by_profile ON est_activation (est_profile_uuid);
