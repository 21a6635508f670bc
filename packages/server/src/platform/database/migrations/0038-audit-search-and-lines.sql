-- Audit records that go to the log: queued by the statement of the change, printed and removed within a second.
CREATE TABLE audit_line (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node_id uuid NOT NULL,
  queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  record jsonb NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What is asked of a large log: everything about one object, by one person, what failed, of a span of time. Indexes for
-- codes do not pay: their values are too frequent. Records come in the order of time, so a block range index does.
CREATE INDEX audit_record_objects ON audit_record USING gin (resource_objects jsonb_path_ops);
CREATE INDEX audit_record_affiliated_objects ON audit_record USING gin (affiliated_objects jsonb_path_ops)
  WHERE affiliated_objects IS NOT NULL;
CREATE INDEX audit_record_actor_name ON audit_record (actor_name, id);
CREATE INDEX audit_record_failures ON audit_record (id) WHERE operation_result = 'failure';
CREATE INDEX audit_record_timestamp ON audit_record USING brin ("timestamp") WITH (autosummarize = on);
