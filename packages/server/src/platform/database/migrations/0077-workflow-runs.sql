-- Triggers as they were when they were asked together, so that what became of them can be told after they changed.
CREATE TABLE workflow_trigger_set (
  digest bytea PRIMARY KEY,
  event text NOT NULL,
  -- Whose triggers they are; null with association_object_uuid, of the platform.
  association_resource text,
  association_object_uuid uuid,
  -- What conditions compare, in the order of the inputs of evaluations.
  fields jsonb NOT NULL,
  triggers jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

-- A set of triggers was asked about an object.
CREATE TABLE workflow_evaluation (
  uuid uuid PRIMARY KEY,
  set_digest bytea NOT NULL REFERENCES workflow_trigger_set (digest),
  event_uuid uuid,
  association_object_uuid uuid,
  -- Null where the object was left out of the inventory.
  object_uuid uuid,
  -- What the object is in the run that found it.
  reference_uuid uuid,
  -- By trigger: 0 its conditions hold, n the n-th condition item is the first that does not; -1 it was not asked, because
  -- another one ignores the object; -2 its rules are about other objects.
  outcomes smallint[] NOT NULL,
  inputs jsonb NOT NULL,
  evaluated_at timestamptz NOT NULL
);

CREATE INDEX workflow_evaluation_by_association ON workflow_evaluation (association_object_uuid, evaluated_at DESC)
  WHERE association_object_uuid IS NOT NULL;
CREATE INDEX workflow_evaluation_by_object ON workflow_evaluation (object_uuid, evaluated_at DESC);
CREATE INDEX workflow_evaluation_by_time ON workflow_evaluation USING brin (evaluated_at);

-- What a trigger whose conditions held has to do, and has done. waiting: until due_at, or while a node is at it; ended:
-- every step was done or refused.
CREATE TABLE workflow_run (
  uuid uuid PRIMARY KEY,
  evaluation_uuid uuid NOT NULL REFERENCES workflow_evaluation (uuid) ON DELETE CASCADE,
  trigger_index smallint NOT NULL,
  trigger_uuid uuid NOT NULL,
  object_uuid uuid NOT NULL,
  state text NOT NULL,
  -- The step that comes next; a step is one execution.
  step integer NOT NULL,
  -- By step: why it was refused.
  problems jsonb NOT NULL,
  attempts integer NOT NULL,
  due_at timestamptz NOT NULL,
  lease uuid,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  UNIQUE (evaluation_uuid, trigger_index)
);

CREATE INDEX workflow_run_waiting ON workflow_run (due_at) WHERE state = 'waiting';
CREATE INDEX workflow_run_by_object ON workflow_run (object_uuid, trigger_uuid, created_at);
