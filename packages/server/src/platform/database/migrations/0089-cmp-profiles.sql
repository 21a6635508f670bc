-- CMP profiles: under which rules clients of the protocol get certificates. The columns that they share with the profiles
-- of other protocols are explained in 0008-acme.
CREATE TABLE cmp_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT cmp_profile_name_key UNIQUE,
  description text,
  enabled boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  ra_profile_uuid uuid,
  connector_uuid uuid,
  variant text NOT NULL,
  request_protection text NOT NULL,
  response_protection text NOT NULL,
  sealed_shared_secret text,
  -- Reset by hand where the certificate was deleted: the profile then says so.
  signing_certificate_uuid uuid,
  implicit_confirmation boolean NOT NULL,
  one_time_secrets boolean NOT NULL,
  -- DER in Base64.
  trusted_authorities text[] NOT NULL,
  registration_authorities text[] NOT NULL,
  owner_uuid uuid,
  group_uuids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX cmp_profile_by_ra_profile ON cmp_profile (ra_profile_uuid);

-- CMP served under the name of an RA profile.
CREATE TABLE cmp_activation (
  ra_profile_uuid uuid PRIMARY KEY,
  cmp_profile_uuid uuid NOT NULL REFERENCES cmp_profile (uuid) ON DELETE CASCADE,
  connector_uuid uuid NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX cmp_activation_by_profile ON cmp_activation (cmp_profile_uuid);
