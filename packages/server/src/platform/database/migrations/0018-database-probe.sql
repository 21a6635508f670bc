-- What each node writes now and then to find out whether the database takes changes.
CREATE TABLE database_probe (
  node_id uuid PRIMARY KEY,
  written_at timestamptz NOT NULL
) WITH (fillfactor = 10);
