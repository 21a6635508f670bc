-- Scheduled jobs: what is done again and again at times that a cron expression tells.
CREATE TABLE scheduled_job (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT scheduled_job_name_key UNIQUE,
  job_type text NOT NULL,
  cron_expression text NOT NULL,
  -- In which next_run_at was worked out.
  time_zone text NOT NULL,
  enabled boolean NOT NULL,
  one_time boolean NOT NULL,
  system boolean NOT NULL,
  -- In whose name it runs. The user may go before the job.
  user_uuid uuid,
  username text,
  -- What it was asked to do: for people, without secrets; and all of it, sealed.
  object_data jsonb,
  sealed_request bytea,
  next_run_at timestamptz,
  -- Its last run ended with its node, so it runs again as soon as it can.
  again boolean NOT NULL DEFAULT false,
  interruptions integer NOT NULL DEFAULT 0,
  -- The run that is under way. Without a lease it goes on as another object, e.g. as a discovery.
  run_uuid uuid,
  leased_until timestamptz
);

CREATE INDEX scheduled_job_due ON scheduled_job (next_run_at) WHERE run_uuid IS NULL;
CREATE INDEX scheduled_job_leased ON scheduled_job (leased_until) WHERE leased_until IS NOT NULL;

CREATE TABLE scheduled_job_run (
  uuid uuid PRIMARY KEY,
  -- In which runs began, whatever the clock said.
  ordinal bigint GENERATED ALWAYS AS IDENTITY,
  job_uuid uuid NOT NULL REFERENCES scheduled_job (uuid) ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  status text NOT NULL,
  message text,
  result_resource text,
  result_uuids uuid[]
);

CREATE INDEX scheduled_job_run_newest ON scheduled_job_run (job_uuid, ordinal DESC);
CREATE INDEX scheduled_job_run_open ON scheduled_job_run (result_resource) WHERE ended_at IS NULL;
