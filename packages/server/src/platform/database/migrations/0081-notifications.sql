-- Notifications of users, as the platform shows them. Who is told of one cause is told once.
CREATE TABLE notification (
  uuid uuid PRIMARY KEY,
  user_uuid uuid NOT NULL REFERENCES platform_user (uuid) ON DELETE CASCADE,
  cause text NOT NULL,
  message text NOT NULL,
  detail text,
  target_resource text,
  -- Parents first.
  target_uuids text[] NOT NULL,
  sent_at timestamptz NOT NULL,
  read_at timestamptz,
  CONSTRAINT notification_cause_key UNIQUE (user_uuid, cause)
);

CREATE INDEX notification_by_user ON notification (user_uuid, sent_at DESC, uuid DESC);
CREATE INDEX notification_unread ON notification (user_uuid, sent_at DESC, uuid DESC) WHERE read_at IS NULL;
CREATE INDEX notification_by_time ON notification (sent_at);

-- Ways out at notification providers. The name of the connector stays when the connector is removed.
CREATE TABLE notification_instance (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT notification_instance_name_key UNIQUE,
  description text,
  connector_uuid uuid REFERENCES connector (uuid),
  connector_name text NOT NULL,
  connector_instance_uuid text NOT NULL,
  kind text NOT NULL,
  -- Which custom attributes of recipients go under the names of mapping attributes.
  mappings jsonb NOT NULL,
  removing boolean NOT NULL,
  edited_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE INDEX notification_instance_by_connector ON notification_instance (connector_uuid);

CREATE TABLE notification_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT notification_profile_name_key UNIQUE,
  description text,
  latest_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- A version is never changed: what is told repeatedly goes on with the one that it began with.
CREATE TABLE notification_profile_version (
  profile_uuid uuid NOT NULL REFERENCES notification_profile (uuid) ON DELETE CASCADE,
  version integer NOT NULL,
  recipient_type text NOT NULL,
  recipient_uuids uuid[] NOT NULL,
  instance_uuid uuid REFERENCES notification_instance (uuid),
  internal boolean NOT NULL,
  frequency_hours integer CHECK (frequency_hours > 0),
  repetitions integer CHECK (repetitions > 0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (profile_uuid, version)
);

CREATE INDEX notification_profile_version_by_instance ON notification_profile_version (instance_uuid);

-- What was told about an object whose condition lasts, and may be told of again. Ends with its condition.
CREATE TABLE notification_pending (
  profile_uuid uuid NOT NULL,
  version integer NOT NULL,
  event text NOT NULL,
  resource text NOT NULL,
  object_uuid uuid NOT NULL,
  data jsonb NOT NULL,
  sent_count integer NOT NULL,
  last_sent_at timestamptz NOT NULL,
  -- When it is looked at next.
  next_at timestamptz NOT NULL,
  PRIMARY KEY (profile_uuid, event, object_uuid),
  FOREIGN KEY (profile_uuid, version) REFERENCES notification_profile_version (profile_uuid, version) ON DELETE CASCADE
);

CREATE INDEX notification_pending_due ON notification_pending (next_at);
