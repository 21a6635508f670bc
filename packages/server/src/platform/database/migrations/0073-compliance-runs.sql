-- Runs count what they find, can be stopped, and are listed newest first.
ALTER TABLE compliance_run
  ADD COLUMN compliant bigint NOT NULL DEFAULT 0,
  ADD COLUMN not_compliant bigint NOT NULL DEFAULT 0,
  ADD COLUMN not_applicable bigint NOT NULL DEFAULT 0,
  ADD COLUMN failed bigint NOT NULL DEFAULT 0,
  ADD COLUMN working_ms bigint NOT NULL DEFAULT 0,
  ADD COLUMN stopped_by text;
CREATE INDEX compliance_run_by_start ON compliance_run (started_at DESC, uuid);

-- Many objects have the same rules that are not ok, hundreds of them each: every list is kept once, by its digest.
CREATE TABLE compliance_rule_list (
  digest bytea PRIMARY KEY,
  rules jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
INSERT INTO compliance_rule_list (digest, rules, created_at)
  SELECT DISTINCT ON (digest) sha256(convert_to(rules::text, 'UTF8')) AS digest, rules, now() FROM compliance_result;
ALTER TABLE compliance_result ADD COLUMN rule_list bytea REFERENCES compliance_rule_list (digest);
UPDATE compliance_result SET rule_list = sha256(convert_to(rules::text, 'UTF8'));
ALTER TABLE compliance_result ALTER COLUMN rule_list SET NOT NULL, DROP COLUMN rules;
CREATE INDEX compliance_result_by_rule_list ON compliance_result (rule_list);
