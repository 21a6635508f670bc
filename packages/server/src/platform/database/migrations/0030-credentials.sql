-- Credentials: named secrets of a kind that a connector defines. Their values are attributes. The name of the connector
-- stays when the connector is removed.
CREATE TABLE credential (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT credential_name_key UNIQUE,
  kind text NOT NULL,
  enabled boolean NOT NULL,
  connector_uuid uuid REFERENCES connector (uuid),
  connector_name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX credential_by_connector ON credential (connector_uuid);
