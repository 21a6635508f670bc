-- Groups of attributes that came with the call-back of another group: their own call-backs are found here.
CREATE TABLE nested_group (
  connector_uuid uuid NOT NULL REFERENCES connector (uuid) ON DELETE CASCADE,
  attribute_uuid text NOT NULL,
  name text NOT NULL,
  -- The groups around it, the outermost first.
  path text[] NOT NULL,
  definition jsonb NOT NULL,
  PRIMARY KEY (connector_uuid, attribute_uuid, name)
);
