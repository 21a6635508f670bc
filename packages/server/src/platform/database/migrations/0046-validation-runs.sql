-- When certificates were last validated and when time alone changes their status next. Beside the certificates, since
-- most validations change nothing else: rows here are narrow, those of certificates are in many indexes.
CREATE TABLE certificate_check (
  certificate_uuid uuid PRIMARY KEY REFERENCES certificate (uuid) ON DELETE CASCADE,
  checked_at timestamptz NOT NULL,
  due_at timestamptz
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

INSERT INTO certificate_check (certificate_uuid, checked_at, due_at)
SELECT uuid, validated_at, CASE
    WHEN archived OR state NOT IN ('issued', 'revoked') OR validation_status = 'expired' THEN NULL
    WHEN validation_status = 'inactive' THEN not_before
    WHEN validation_status = 'valid' THEN not_after - interval '30 days'
    ELSE not_after + interval '1 second' END
FROM certificate WHERE validated_at IS NOT NULL;

CREATE INDEX certificate_check_by_age ON certificate_check (checked_at);
CREATE INDEX certificate_check_due ON certificate_check (due_at) WHERE due_at IS NOT NULL;

-- Validations of the whole inventory. `cursor` is the last certificate that was looked at; a node works on a run while
-- its lease lasts.
CREATE TABLE certificate_validation_run (
  uuid uuid PRIMARY KEY,
  started_at timestamptz NOT NULL,
  started_by text NOT NULL,
  total bigint NOT NULL,
  processed bigint NOT NULL DEFAULT 0,
  changed bigint NOT NULL DEFAULT 0,
  cursor uuid,
  leased_by uuid,
  leased_until timestamptz,
  working_ms bigint NOT NULL DEFAULT 0,
  finished_at timestamptz
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX certificate_validation_run_open ON certificate_validation_run ((true)) WHERE finished_at IS NULL;
CREATE INDEX certificate_validation_run_by_start ON certificate_validation_run (started_at);
