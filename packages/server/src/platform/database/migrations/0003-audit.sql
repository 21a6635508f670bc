-- Audit records: one per state change, written in the transaction of the change and never updated.
CREATE TABLE audit_record (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node_id uuid NOT NULL,
  "timestamp" timestamptz NOT NULL,
  logged_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  version text NOT NULL DEFAULT '1.1',
  module text NOT NULL,
  operation text NOT NULL,
  operation_result text NOT NULL,
  resource text NOT NULL,
  resource_objects jsonb,
  affiliated_resource text,
  affiliated_objects jsonb,
  actor_type text NOT NULL,
  actor_auth_method text NOT NULL,
  actor_uuid uuid,
  actor_name text,
  source_method text,
  source_path text,
  source_content_type text,
  source_ip_address text,
  source_user_agent text,
  message text,
  operation_data jsonb,
  additional_data jsonb
);

-- Records that no seal covers yet; a row lives from the commit of its record until the next run of a sealer.
CREATE TABLE audit_unsealed (
  audit_id bigint PRIMARY KEY,
  node_id uuid NOT NULL,
  queued_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- End of the chain of each node; its row lock makes sure that two sealers never continue one chain in two ways.
CREATE TABLE audit_chain (
  node_id uuid PRIMARY KEY,
  seal_number bigint NOT NULL,
  next_sequence bigint NOT NULL,
  chain_value bytea NOT NULL
);

-- One link of the chain of a node: the records of a batch, their hashes, and the value that binds them to the link before.
CREATE TABLE audit_seal (
  node_id uuid NOT NULL,
  seal_number bigint NOT NULL,
  first_sequence bigint NOT NULL,
  audit_ids bigint[] NOT NULL,
  row_hashes bytea NOT NULL,
  previous_value bytea NOT NULL,
  chain_value bytea NOT NULL,
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (node_id, seal_number)
);

-- What a purge removed, as ranges of record ids, under a MAC: tells removal by the platform from removal by hand.
CREATE TABLE audit_purge (
  uuid uuid NOT NULL,
  part integer NOT NULL,
  purged_at timestamptz NOT NULL,
  actor_name text,
  first_ids bigint[] NOT NULL,
  last_ids bigint[] NOT NULL,
  record_count bigint NOT NULL,
  mac bytea NOT NULL,
  PRIMARY KEY (uuid, part)
);

-- The key of seals and purge markers, sealed by the platform's sealing key, so that it survives the rotation of that key.
CREATE TABLE audit_key (
  id smallint PRIMARY KEY CHECK (id = 1),
  sealed_key bytea NOT NULL
);
