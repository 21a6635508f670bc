-- Events on their way to subscribers; a row lives from the commit of its change until the dispatcher made jobs of it.
CREATE TABLE event_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Facts about this installation that every node shares, e.g. the last recorded time.
CREATE TABLE installation (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
