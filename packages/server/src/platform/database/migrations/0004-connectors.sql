-- Definitions of attributes, as connectors gave them. Choices offered by a definition are not kept, they change.
CREATE TABLE attribute_definition (
  uuid uuid PRIMARY KEY,
  type text NOT NULL,
  connector_uuid uuid,
  attribute_uuid uuid NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL,
  label text NOT NULL,
  definition jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT attribute_definition_key UNIQUE NULLS NOT DISTINCT (type, connector_uuid, attribute_uuid, name)
);

CREATE INDEX attribute_definition_by_name ON attribute_definition (name, content_type, type);

-- Values of attributes, one row for each item of content. Empty operation and purpose: plain configuration of the object.
CREATE TABLE attribute_value (
  uuid uuid PRIMARY KEY,
  object_resource text NOT NULL,
  object_uuid uuid NOT NULL,
  definition_uuid uuid NOT NULL REFERENCES attribute_definition (uuid) ON DELETE CASCADE,
  connector_uuid uuid,
  operation text NOT NULL DEFAULT '',
  purpose text NOT NULL DEFAULT '',
  source_resource text,
  source_uuid uuid,
  source_name text,
  position integer NOT NULL,
  item jsonb NOT NULL,
  sealed_data bytea,
  value_text text,
  value_number double precision
);

CREATE INDEX attribute_value_by_object ON attribute_value (object_uuid, object_resource);
CREATE INDEX attribute_value_by_text ON attribute_value (definition_uuid, value_text);
CREATE INDEX attribute_value_by_number ON attribute_value (definition_uuid, value_number) WHERE value_number IS NOT NULL;

-- Connectors: providers of authorities, discoveries and the like, reached by URL.
CREATE TABLE connector (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT connector_name_key UNIQUE,
  url text NOT NULL,
  auth_type text NOT NULL,
  sealed_auth_attributes bytea,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- A built-in connector has exactly one row, whichever node registers it first.
CREATE UNIQUE INDEX connector_builtin_url_key ON connector (url) WHERE url LIKE 'builtin:%';

-- Function groups of a connector, as it declared them when it was last connected.
CREATE TABLE connector_function_group (
  connector_uuid uuid NOT NULL REFERENCES connector (uuid) ON DELETE CASCADE,
  code text NOT NULL,
  kinds text[] NOT NULL,
  end_points jsonb NOT NULL,
  features text[] NOT NULL,
  PRIMARY KEY (connector_uuid, code)
);

-- Authorities: instances at a connector. The name of the connector stays when the connector is removed.
CREATE TABLE authority (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT authority_name_key UNIQUE,
  connector_uuid uuid REFERENCES connector (uuid),
  connector_name text NOT NULL,
  connector_authority_uuid text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX authority_by_connector ON authority (connector_uuid);

-- RA profiles: under which conditions an authority issues. The authority is empty after it was removed by force.
CREATE TABLE ra_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT ra_profile_name_key UNIQUE,
  description text,
  authority_uuid uuid REFERENCES authority (uuid),
  enabled boolean NOT NULL,
  ca_certificate_uuid uuid,
  validation_enabled boolean,
  validation_frequency_days integer,
  validation_expiring_threshold_days integer,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX ra_profile_by_authority ON ra_profile (authority_uuid);
