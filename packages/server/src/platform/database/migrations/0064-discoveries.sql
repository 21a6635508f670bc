-- Discoveries: runs of a discovery provider, what each found, and what it could not take. The name of the connector
-- stays when the connector is removed.
CREATE TABLE discovery (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT discovery_name_key UNIQUE,
  kind text NOT NULL,
  connector_uuid uuid REFERENCES connector (uuid) ON DELETE SET NULL,
  connector_name text NOT NULL,
  -- Digest of connector, kind and attributes: discoveries with the same one asked for the same.
  asked_for text NOT NULL,
  provider_uuid text,
  status text NOT NULL,
  connector_status text NOT NULL,
  message text,
  -- Why it will end with a warning.
  warning text,
  started_at timestamptz NOT NULL,
  started_by_uuid uuid,
  started_by text NOT NULL,
  ended_at timestamptz,
  stopped_by text,
  announced integer NOT NULL DEFAULT 0,
  page_size integer NOT NULL,
  pages integer,
  pages_read integer NOT NULL DEFAULT 0,
  results_read integer NOT NULL DEFAULT 0,
  found integer NOT NULL DEFAULT 0,
  newly_found integer NOT NULL DEFAULT 0,
  repeated integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  working_ms bigint NOT NULL DEFAULT 0,
  -- Counts from the start or from when it was resumed.
  due_by timestamptz NOT NULL,
  -- The provider has not answered since.
  silent_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  looks integer NOT NULL DEFAULT 0,
  next_look_at timestamptz,
  lease uuid,
  leased_until timestamptz
);

CREATE INDEX discovery_by_connector ON discovery (connector_uuid);
CREATE INDEX discovery_newest ON discovery (started_at DESC, uuid DESC);
CREATE INDEX discovery_open ON discovery (next_look_at) WHERE ended_at IS NULL;
CREATE INDEX discovery_by_request ON discovery (asked_for, started_at);

-- The facts stay when the certificate leaves the inventory. Which certificate it is follows from the fingerprint.
CREATE TABLE discovery_certificate (
  discovery_uuid uuid NOT NULL REFERENCES discovery (uuid) ON DELETE CASCADE,
  fingerprint text NOT NULL,
  uuid uuid NOT NULL,
  place integer NOT NULL,
  newly_found boolean NOT NULL,
  -- Sum over its results, so that their order does not matter.
  metadata_digest bigint NOT NULL,
  common_name text,
  serial_number text,
  issuer_common_name text,
  not_before timestamptz,
  not_after timestamptz,
  PRIMARY KEY (discovery_uuid, fingerprint)
);

CREATE INDEX discovery_certificate_in_order ON discovery_certificate (discovery_uuid, place);
CREATE INDEX discovery_certificate_by_fingerprint ON discovery_certificate (fingerprint);

CREATE TABLE discovery_finding (
  discovery_uuid uuid NOT NULL REFERENCES discovery (uuid) ON DELETE CASCADE,
  page integer NOT NULL,
  place integer NOT NULL,
  provider_id text NOT NULL,
  reason text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (discovery_uuid, page, place)
);
