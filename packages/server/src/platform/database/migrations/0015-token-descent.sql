-- Tokens that were made with a token end with it. Those that are there stay as they are: they have no parent, and the
-- token of the run file is made anew at each start. The previous version leaves both columns alone.
ALTER TABLE access_token
  ADD COLUMN parent_uuid uuid REFERENCES access_token (uuid) ON DELETE CASCADE,
  -- May make sign-in links, as the token of the run file does.
  ADD COLUMN opens_sessions boolean NOT NULL DEFAULT false;

CREATE INDEX access_token_by_parent ON access_token (parent_uuid) WHERE parent_uuid IS NOT NULL;
