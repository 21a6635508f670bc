-- A second person signs in: invitations, and the passkeys (WebAuthn) that they lead to. The previous version writes none
-- of it. Sessions that it opens are taken for those of a sign-in link.

CREATE TABLE passkey (
  uuid uuid PRIMARY KEY,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  name text NOT NULL,
  -- As the authenticator named it.
  credential_id bytea NOT NULL CONSTRAINT passkey_credential_key UNIQUE,
  -- COSE form.
  public_key bytea NOT NULL,
  -- Signatures that the authenticator counted; 0 for those that do not count.
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  -- Host name that browsers bind it to.
  host text NOT NULL,
  synced boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);

CREATE INDEX passkey_by_user ON passkey (user_uuid);

-- A link by which a user registers a passkey, once; of its secret only the SHA-256 is kept.
CREATE TABLE invitation (
  uuid uuid PRIMARY KEY,
  user_uuid uuid NOT NULL CONSTRAINT invitation_user_key UNIQUE REFERENCES platform_user (uuid) ON DELETE CASCADE,
  token_sha256 bytea NOT NULL CONSTRAINT invitation_token_key UNIQUE,
  created_by text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

-- What an authenticator is asked to sign; a row disappears when its challenge is answered, rightly or not.
CREATE TABLE passkey_challenge (
  challenge_sha256 bytea PRIMARY KEY,
  -- The page that asked, and with it the host that the passkey belongs to.
  origin text NOT NULL,
  -- For whom a passkey is registered; absent where somebody signs in.
  user_uuid uuid REFERENCES platform_user (uuid) ON DELETE CASCADE,
  invitation_uuid uuid REFERENCES invitation (uuid) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

CREATE INDEX passkey_challenge_by_user ON passkey_challenge (user_uuid) WHERE user_uuid IS NOT NULL;
CREATE INDEX passkey_challenge_by_invitation ON passkey_challenge (invitation_uuid) WHERE invitation_uuid IS NOT NULL;

ALTER TABLE session
  ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT session_uuid_key UNIQUE,
  ADD COLUMN opened_with text NOT NULL DEFAULT 'signInLink',
  -- A session ends with the passkey that opened it.
  ADD COLUMN passkey_uuid uuid REFERENCES passkey (uuid) ON DELETE CASCADE,
  ADD COLUMN user_agent text,
  ADD COLUMN address text;

CREATE INDEX session_by_passkey ON session (passkey_uuid) WHERE passkey_uuid IS NOT NULL;

-- A role or permissions that bound what the token may do. The hash of such a token is made in a way that the previous
-- version does not know, so that it refuses the token and does not take it for one without bounds.
ALTER TABLE access_token ADD COLUMN scope jsonb;
