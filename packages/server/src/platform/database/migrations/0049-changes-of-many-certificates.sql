-- Changes of many certificates that somebody asked for, kept for a while for who wants to know what came of them.
CREATE TABLE certificate_change (
  uuid uuid PRIMARY KEY,
  kind text NOT NULL,
  -- What was asked for, by its kind, without the certificates.
  asked jsonb NOT NULL,
  requester_uuid uuid,
  requester_name text NOT NULL,
  total integer NOT NULL,
  changed integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL,
  finished_at timestamptz
) WITH (fillfactor = 70);

CREATE INDEX certificate_change_by_requester ON certificate_change (requester_uuid, started_at);
CREATE INDEX certificate_change_unfinished ON certificate_change (started_at) WHERE finished_at IS NULL;

-- Certificates that a change has still to reach, and those that it could not change, with the reason. Those that it has
-- changed leave with the change itself, so that none is changed or counted twice.
CREATE TABLE certificate_change_item (
  change_uuid uuid NOT NULL REFERENCES certificate_change (uuid) ON DELETE CASCADE,
  certificate_uuid uuid NOT NULL,
  name text,
  problem text,
  PRIMARY KEY (change_uuid, certificate_uuid)
);

CREATE INDEX certificate_change_item_left ON certificate_change_item (change_uuid, certificate_uuid) WHERE problem IS NULL;
