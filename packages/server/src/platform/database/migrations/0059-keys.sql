-- Keys: a pair is one key of two items, a secret key one of one. Where they are kept is their token; without one, only
-- what was public about them is known. The name of the owner stays when the user is removed.
CREATE TABLE key (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT key_name_key UNIQUE,
  description text,
  token_uuid uuid REFERENCES token (uuid) ON DELETE SET NULL,
  token_profile_uuid uuid REFERENCES token_profile (uuid) ON DELETE SET NULL,
  owner_uuid uuid,
  owner_username text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX key_by_token ON key (token_uuid);
CREATE INDEX key_by_token_profile ON key (token_profile_uuid);
CREATE INDEX key_by_owner ON key (owner_uuid) WHERE owner_uuid IS NOT NULL;

-- `reference` is the identifier at the provider. `public_key_fingerprint` is that of the public half, on both halves:
-- lower-case hex SHA-256 of the SubjectPublicKeyInfo, as in certificate.public_key_fingerprint. The data of a key that
-- was destroyed is gone.
CREATE TABLE key_item (
  uuid uuid PRIMARY KEY,
  key_uuid uuid NOT NULL REFERENCES key (uuid) ON DELETE CASCADE,
  name text NOT NULL,
  reference text,
  type text NOT NULL,
  algorithm text NOT NULL,
  format text NOT NULL,
  length integer NOT NULL,
  key_data text,
  public_key_fingerprint text,
  usages smallint NOT NULL,
  enabled boolean NOT NULL,
  state text NOT NULL,
  reason text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX key_item_by_key ON key_item (key_uuid);
CREATE INDEX key_item_newest ON key_item (created_at DESC, uuid DESC) INCLUDE (key_uuid);
CREATE INDEX key_item_by_reference ON key_item (reference);
CREATE INDEX key_item_by_public_key ON key_item (public_key_fingerprint) INCLUDE (type, state);

-- What happened to the items of keys.
CREATE TABLE key_event (
  uuid uuid PRIMARY KEY,
  item_uuid uuid NOT NULL REFERENCES key_item (uuid) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  event text NOT NULL,
  status text NOT NULL,
  message text NOT NULL,
  additional jsonb
);

CREATE INDEX key_event_by_item ON key_event (item_uuid, created_at DESC);

-- Certificates of a key.
CREATE INDEX certificate_by_public_key ON certificate (public_key_fingerprint);
