-- Tokens: stores of keys at a cryptography provider. The name of the connector stays when the connector is removed.
CREATE TABLE token (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT token_name_key UNIQUE,
  connector_uuid uuid REFERENCES connector (uuid),
  connector_name text NOT NULL,
  connector_token_uuid text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  removing boolean NOT NULL,
  edited_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX token_by_connector ON token (connector_uuid);

CREATE TABLE token_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT token_profile_name_key UNIQUE,
  description text,
  token_uuid uuid NOT NULL REFERENCES token (uuid),
  enabled boolean NOT NULL,
  usages smallint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX token_profile_by_token ON token_profile (token_uuid);
