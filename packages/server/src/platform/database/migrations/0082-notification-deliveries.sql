-- What leaves the platform through notification instances: written with what raised it, sent afterwards by whichever
-- node takes it. Who sends one moves next_at ahead, so that it is due again when that node dies.
CREATE TABLE notification_delivery (
  uuid uuid PRIMARY KEY,
  -- One cause is one delivery of a profile.
  cause text NOT NULL CONSTRAINT notification_delivery_cause_key UNIQUE,
  instance_uuid uuid REFERENCES notification_instance (uuid) ON DELETE SET NULL,
  instance_name text NOT NULL,
  profile_uuid uuid REFERENCES notification_profile (uuid) ON DELETE SET NULL,
  profile_name text NOT NULL,
  profile_version integer NOT NULL,
  event text NOT NULL,
  resource text NOT NULL,
  object_uuid uuid,
  -- Resource, identifier and name of each; addresses are read when it is sent.
  recipients jsonb NOT NULL,
  data jsonb NOT NULL,
  -- By which receivers recognise repeats: another one when what was delivered is asked for again.
  idempotency_key uuid NOT NULL,
  -- waiting: for its first or next attempt; delivered, failed: ended.
  state text NOT NULL,
  attempts integer NOT NULL,
  raised_at timestamptz NOT NULL,
  -- From when on the time for attempts counts: when it was raised, or asked for again.
  queued_at timestamptz NOT NULL,
  next_at timestamptz,
  ended_at timestamptz,
  problem text,
  CHECK ((state = 'waiting') = (next_at IS NOT NULL)),
  CHECK ((state = 'waiting') = (ended_at IS NULL))
);

CREATE INDEX notification_delivery_due ON notification_delivery (instance_uuid, next_at) WHERE state = 'waiting';
CREATE INDEX notification_delivery_by_time ON notification_delivery (raised_at DESC, uuid DESC);
CREATE INDEX notification_delivery_by_instance ON notification_delivery (instance_uuid, raised_at DESC);
CREATE INDEX notification_delivery_by_profile ON notification_delivery (profile_uuid);
CREATE INDEX notification_delivery_by_object ON notification_delivery (object_uuid);
CREATE INDEX notification_delivery_ended ON notification_delivery (ended_at) WHERE state <> 'waiting';
