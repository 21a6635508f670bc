-- Evaluations of one trigger are those of the sets that it is in; the newest are wanted first.
CREATE INDEX workflow_trigger_set_by_trigger ON workflow_trigger_set USING gin (triggers jsonb_path_ops);
CREATE INDEX workflow_evaluation_by_set ON workflow_evaluation (set_digest, evaluated_at DESC, uuid DESC);
CREATE INDEX workflow_run_by_trigger ON workflow_run (trigger_uuid, created_at DESC);
