-- Published events in one order: positions have no gaps and appear in ascending order, because whoever writes them holds
-- the head. A reader that knows a position knows everything before it.
CREATE TABLE event_log (
  position bigint PRIMARY KEY,
  uuid uuid NOT NULL CONSTRAINT event_log_uuid_key UNIQUE,
  event text NOT NULL,
  resource text NOT NULL,
  object_uuid uuid,
  -- As the interface describes the data of the event.
  data jsonb NOT NULL,
  raised_at timestamptz NOT NULL
);

CREATE INDEX event_log_raised_at ON event_log USING brin (raised_at);

-- The last position that was given; one row.
CREATE TABLE event_log_head (
  position bigint NOT NULL
);
INSERT INTO event_log_head VALUES (0);

-- How far each follower has come. After a failure it goes on at retry_at, one event at a time.
CREATE TABLE event_follower (
  name text PRIMARY KEY,
  position bigint NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  problem text,
  retry_at timestamptz
);

-- Events that a follower failed at again and again, and left.
CREATE TABLE event_set_aside (
  follower text NOT NULL,
  position bigint NOT NULL,
  event_uuid uuid NOT NULL,
  problem text NOT NULL,
  set_aside_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (follower, position)
);
