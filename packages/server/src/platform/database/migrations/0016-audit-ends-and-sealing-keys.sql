-- The end of a chain under a MAC: whoever has the database alone cannot set it back. `end_seal_number` lies behind
-- `seal_number` where a program that knows no such MAC continued the chain; both are absent where none ever did
-- otherwise.
ALTER TABLE audit_chain ADD COLUMN end_seal_number bigint, ADD COLUMN end_mac bytea;

-- Sealing keys that values in this database may be sealed with; a start without one of them is refused. The current one
-- seals.
CREATE TABLE sealing_key (
  key_id text PRIMARY KEY,
  is_current boolean NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz,
  CHECK (retired_at IS NULL OR NOT is_current)
);

CREATE UNIQUE INDEX sealing_key_current ON sealing_key (is_current) WHERE is_current;

-- Which sealing keys a running node has and seals with.
CREATE TABLE sealing_node (
  node_id uuid PRIMARY KEY,
  current_key_id text NOT NULL,
  key_ids text[] NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Rotations of the sealing key, with how many values they have sealed anew.
CREATE TABLE sealing_rotation (
  uuid uuid PRIMARY KEY,
  key_id text NOT NULL,
  total bigint NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL,
  finished_at timestamptz
);

-- Keys derived from sealing keys that are gone, sealed by the current one: what was made with them (access tokens,
-- nonces) is still recognised.
CREATE TABLE retired_key (
  name text PRIMARY KEY,
  key_id text NOT NULL,
  purpose text NOT NULL,
  sealed_key bytea NOT NULL
);
