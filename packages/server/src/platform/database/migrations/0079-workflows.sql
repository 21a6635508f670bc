-- The rules engine. Conditions make rules, executions make actions; a trigger does its actions when an object fulfils
-- its rules.
CREATE TABLE workflow_condition (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT workflow_condition_name_key UNIQUE,
  description text,
  type text NOT NULL,
  resource text NOT NULL,
  items jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE workflow_execution (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT workflow_execution_name_key UNIQUE,
  description text,
  type text NOT NULL,
  resource text NOT NULL,
  items jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The resource of a rule and of an action may be ANY.
CREATE TABLE workflow_rule (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT workflow_rule_name_key UNIQUE,
  description text,
  resource text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE workflow_action (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT workflow_action_name_key UNIQUE,
  description text,
  resource text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE workflow_trigger (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT workflow_trigger_name_key UNIQUE,
  description text,
  type text,
  resource text NOT NULL,
  ignore_trigger boolean NOT NULL,
  event text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE workflow_rule_condition (
  rule_uuid uuid NOT NULL REFERENCES workflow_rule (uuid) ON DELETE CASCADE,
  condition_uuid uuid NOT NULL REFERENCES workflow_condition (uuid),
  position integer NOT NULL,
  PRIMARY KEY (rule_uuid, condition_uuid)
);
CREATE INDEX workflow_rule_condition_by_condition ON workflow_rule_condition (condition_uuid);

CREATE TABLE workflow_action_execution (
  action_uuid uuid NOT NULL REFERENCES workflow_action (uuid) ON DELETE CASCADE,
  execution_uuid uuid NOT NULL REFERENCES workflow_execution (uuid),
  position integer NOT NULL,
  PRIMARY KEY (action_uuid, execution_uuid)
);
CREATE INDEX workflow_action_execution_by_execution ON workflow_action_execution (execution_uuid);

CREATE TABLE workflow_trigger_rule (
  trigger_uuid uuid NOT NULL REFERENCES workflow_trigger (uuid) ON DELETE CASCADE,
  rule_uuid uuid NOT NULL REFERENCES workflow_rule (uuid),
  position integer NOT NULL,
  PRIMARY KEY (trigger_uuid, rule_uuid)
);
CREATE INDEX workflow_trigger_rule_by_rule ON workflow_trigger_rule (rule_uuid);

CREATE TABLE workflow_trigger_action (
  trigger_uuid uuid NOT NULL REFERENCES workflow_trigger (uuid) ON DELETE CASCADE,
  action_uuid uuid NOT NULL REFERENCES workflow_action (uuid),
  position integer NOT NULL,
  PRIMARY KEY (trigger_uuid, action_uuid)
);
CREATE INDEX workflow_trigger_action_by_action ON workflow_trigger_action (action_uuid);

-- Triggers that are asked about an event: of one object, or without one, of the platform. The generated columns let an
-- association go with its object. The user whose rights the actions have may be gone.
CREATE TABLE workflow_trigger_association (
  uuid uuid PRIMARY KEY,
  trigger_uuid uuid NOT NULL REFERENCES workflow_trigger (uuid),
  event text NOT NULL,
  resource text CHECK (resource IN ('raProfiles', 'groups', 'discoveries')),
  object_uuid uuid,
  position integer NOT NULL,
  triggered_by_uuid uuid,
  triggered_by text NOT NULL,
  created_at timestamptz NOT NULL,
  ra_profile_uuid uuid GENERATED ALWAYS AS (CASE WHEN resource = 'raProfiles' THEN object_uuid END) STORED
    REFERENCES ra_profile (uuid) ON DELETE CASCADE,
  group_uuid uuid GENERATED ALWAYS AS (CASE WHEN resource = 'groups' THEN object_uuid END) STORED
    REFERENCES object_group (uuid) ON DELETE CASCADE,
  discovery_uuid uuid GENERATED ALWAYS AS (CASE WHEN resource = 'discoveries' THEN object_uuid END) STORED
    REFERENCES discovery (uuid) ON DELETE CASCADE,
  CHECK ((resource IS NULL) = (object_uuid IS NULL)),
  CONSTRAINT workflow_trigger_association_key UNIQUE NULLS NOT DISTINCT (event, object_uuid, trigger_uuid)
);
CREATE INDEX workflow_trigger_association_by_trigger ON workflow_trigger_association (trigger_uuid);
CREATE INDEX workflow_trigger_association_by_ra_profile ON workflow_trigger_association (ra_profile_uuid);
CREATE INDEX workflow_trigger_association_by_group ON workflow_trigger_association (group_uuid);
CREATE INDEX workflow_trigger_association_by_discovery ON workflow_trigger_association (discovery_uuid);

-- Grows with every change of what is above, in its transaction: whoever remembers it sees whether that is still so.
CREATE TABLE workflow_revision (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  revision bigint NOT NULL
);
INSERT INTO workflow_revision (revision) VALUES (1);
