-- Keys that sign the tokens by which the platform authenticates itself to connectors. One signs; those before it are
-- published until their last token has expired.
CREATE TABLE connector_token_key (
  uuid uuid PRIMARY KEY,
  key_id text NOT NULL CONSTRAINT connector_token_key_id_key UNIQUE,
  sealed_key bytea NOT NULL,
  public_key jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  retired_at timestamptz
);

CREATE UNIQUE INDEX connector_token_key_current ON connector_token_key ((retired_at IS NULL)) WHERE retired_at IS NULL;

-- When the connector is looked at next, by whichever node takes it first.
ALTER TABLE connector ADD COLUMN check_at timestamptz NOT NULL DEFAULT now();

CREATE INDEX connector_by_check ON connector (check_at) WHERE status IN ('connected', 'offline');
