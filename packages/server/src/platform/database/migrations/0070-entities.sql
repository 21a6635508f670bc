-- Entities: servers, devices and stores at an entity provider. The name of the connector stays when the connector is
-- removed.
CREATE TABLE entity (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT entity_name_key UNIQUE,
  connector_uuid uuid REFERENCES connector (uuid),
  connector_name text NOT NULL,
  connector_entity_uuid text NOT NULL,
  kind text NOT NULL,
  removing boolean NOT NULL,
  edited_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX entity_by_connector ON entity (connector_uuid);

-- Locations: the places in entities that hold certificates. Two locations with the same attributes would be one place.
CREATE TABLE location (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT location_name_key UNIQUE,
  description text,
  entity_uuid uuid NOT NULL REFERENCES entity (uuid),
  attributes_digest text NOT NULL,
  enabled boolean NOT NULL,
  multiple_entries boolean NOT NULL,
  key_management boolean NOT NULL,
  -- When its content was read last, and the reason why that failed since.
  read_at timestamptz,
  problem text,
  edited_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT location_attributes_key UNIQUE (entity_uuid, attributes_digest)
);

-- What is in a location, or is on its way there. waiting: not issued yet, pushed when it is; pushing: the provider was
-- asked, its answer is not recorded; installed: it is there, as the provider said; failed: it could not be pushed.
CREATE TABLE location_certificate (
  location_uuid uuid NOT NULL REFERENCES location (uuid) ON DELETE CASCADE,
  certificate_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  state text NOT NULL,
  with_key boolean NOT NULL,
  -- What the provider said about it, which it gets back when the certificate is to be removed.
  metadata jsonb NOT NULL,
  -- The certificate that it takes the place of.
  replaces_uuid uuid,
  requested_by text NOT NULL,
  problem text,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (location_uuid, certificate_uuid)
);

CREATE INDEX location_certificate_by_certificate ON location_certificate (certificate_uuid);

-- What waits for its certificate or for an answer is looked for again and again, and is little.
CREATE INDEX location_certificate_unfinished ON location_certificate (state, changed_at)
  WHERE state IN ('waiting', 'pushing');
