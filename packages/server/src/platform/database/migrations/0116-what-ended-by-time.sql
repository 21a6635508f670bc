-- What is kept for a time is removed in small batches, the oldest first; each batch finds them without reading what stays.
CREATE INDEX scheduled_job_run_ended ON scheduled_job_run (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX certificate_history_by_time ON certificate_history (created_at);
CREATE INDEX key_event_by_time ON key_event (created_at);
-- A summary of ranges passes what was removed before again and again.
DROP INDEX workflow_evaluation_by_time;
CREATE INDEX workflow_evaluation_by_time ON workflow_evaluation (evaluated_at);
CREATE INDEX enrolment_secret_by_expiry ON enrolment_secret (expires_at);
