-- Views of lists that users saved for themselves. `search` is kept as it was sent, whatever characters it holds.
CREATE TABLE saved_view (
  uuid uuid PRIMARY KEY,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  resource text NOT NULL,
  name text NOT NULL,
  search json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT saved_view_name_key UNIQUE (user_uuid, resource, name)
);

-- The view that a list is opened with. A row of its own, so that the last of two who choose one at once decides.
CREATE TABLE saved_view_default (
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  resource text NOT NULL,
  view_uuid uuid NOT NULL REFERENCES saved_view (uuid) ON DELETE CASCADE,
  PRIMARY KEY (user_uuid, resource)
);

CREATE INDEX saved_view_default_by_view ON saved_view_default (view_uuid);
