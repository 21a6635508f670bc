-- Groups and their members. Membership is generic: certificates, keys and users are grouped the same way.
CREATE TABLE object_group (
  uuid uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  description text,
  email text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE group_membership (
  object_resource text NOT NULL,
  object_uuid uuid NOT NULL,
  group_uuid uuid NOT NULL REFERENCES object_group (uuid) ON DELETE CASCADE,
  PRIMARY KEY (object_resource, object_uuid, group_uuid)
);

CREATE INDEX group_membership_by_group ON group_membership (group_uuid, object_resource);
