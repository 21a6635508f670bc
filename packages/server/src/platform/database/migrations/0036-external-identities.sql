-- Subjects of identity providers, and the users that they sign in as. A user is never found by a name in a token.
CREATE TABLE external_identity (
  uuid uuid PRIMARY KEY,
  issuer_url text NOT NULL,
  subject text NOT NULL,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  UNIQUE (issuer_url, subject)
);

CREATE INDEX external_identity_by_user ON external_identity (user_uuid);

-- What is made for people and programs of a provider; nothing where it is null.
ALTER TABLE oauth2_provider ADD COLUMN provisioning jsonb;

-- Seconds after which a session without requests ends; null for the usual time.
ALTER TABLE session ADD COLUMN idle_s integer;

-- Sign-ins that a browser has begun at a provider; a row disappears when the browser comes back.
CREATE TABLE provider_sign_in (
  token_sha256 bytea PRIMARY KEY,
  provider_name text NOT NULL,
  return_path text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- The tokens behind sessions that a provider opened. A row outlives its session and its user, so that the session at the
-- provider can be ended too.
CREATE TABLE provider_session (
  uuid uuid PRIMARY KEY,
  session_sha256 bytea UNIQUE REFERENCES session (token_sha256) ON DELETE SET NULL,
  user_uuid uuid NOT NULL,
  provider_name text NOT NULL,
  sealed_tokens bytea NOT NULL,
  access_expires_at timestamptz,
  -- One node renews the tokens; the others leave it alone until then.
  renewing_until timestamptz,
  created_at timestamptz NOT NULL
);
