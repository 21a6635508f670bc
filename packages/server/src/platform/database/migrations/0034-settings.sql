-- Settings that administrators change while the platform runs: one row per section, written whole.
CREATE TABLE setting (
  section text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- OAuth 2.0 authorization servers whose tokens are believed. The settings are those of the interface, without secret.
CREATE TABLE oauth2_provider (
  name text PRIMARY KEY,
  issuer_url text NOT NULL,
  settings jsonb NOT NULL,
  sealed_client_secret bytea,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
-- A token names its issuer, and one provider answers for it.
CREATE UNIQUE INDEX oauth2_provider_issuer_key ON oauth2_provider (issuer_url);
