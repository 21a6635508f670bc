-- People and programs that act on the platform; system users are made by the platform itself.
CREATE TABLE platform_user (
  uuid uuid PRIMARY KEY,
  username text NOT NULL UNIQUE,
  first_name text,
  last_name text,
  email text,
  description text,
  enabled boolean NOT NULL,
  is_system boolean NOT NULL,
  -- Certificate of the inventory that the user signs in with; the fingerprint is the lower-case hex SHA-256 of its DER.
  certificate_uuid uuid UNIQUE,
  certificate_fingerprint text UNIQUE,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((certificate_uuid IS NULL) = (certificate_fingerprint IS NULL))
);

-- Named bundles of permissions.
CREATE TABLE role (
  uuid uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  description text,
  email text,
  is_system boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Which users hold which roles.
CREATE TABLE user_role (
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  role_uuid uuid NOT NULL REFERENCES role (uuid) ON DELETE CASCADE,
  PRIMARY KEY (user_uuid, role_uuid)
);

CREATE INDEX user_role_by_role ON user_role (role_uuid);

-- What a role allows on whole resources: no resource = everything, no action = every action of the resource.
-- Permissions on single objects never go in here: a reader that does not know them would take them for the whole resource.
CREATE TABLE role_permission (
  role_uuid uuid NOT NULL REFERENCES role (uuid) ON DELETE CASCADE,
  resource text,
  action text,
  UNIQUE NULLS NOT DISTINCT (role_uuid, resource, action),
  CHECK (resource IS NOT NULL OR action IS NULL)
);

-- Browser sessions; the cookie carries a random text of which only the SHA-256 is kept.
CREATE TABLE session (
  token_sha256 bytea PRIMARY KEY,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX session_by_user ON session (user_uuid);

-- One-time links that open a session; a row disappears when its link is used.
CREATE TABLE sign_in_link (
  token_sha256 bytea PRIMARY KEY,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX sign_in_link_by_user ON sign_in_link (user_uuid);

-- Bearer tokens signed by the platform; a token counts only while its row is here, so revoking it deletes the row.
CREATE TABLE access_token (
  uuid uuid PRIMARY KEY,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  name text NOT NULL,
  token_sha256 bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz
);

CREATE INDEX access_token_by_user ON access_token (user_uuid);
