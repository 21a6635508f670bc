-- When the platform recorded the certificate as issued; empty for what came in otherwise and for what was never issued.
ALTER TABLE certificate ADD COLUMN issued_at timestamptz;
UPDATE certificate c SET issued_at = o.finished_at FROM certificate_operation o
WHERE o.certificate_uuid = c.uuid AND o.kind <> 'revoke' AND o.state = 'done';

-- Counters of the statistics. Triggers write what a statement changed into the delta tables, as new rows only: a row that all
-- update would make commits wait for each other. A folder moves the deltas into the counters. What is true at any moment is
-- counter plus deltas, read in one snapshot.

-- One row for each combination of values whose number a statement changed. Ends are kept by the hour, so that time moves
-- certificates from bucket to bucket without any writing.
CREATE TABLE certificate_count_delta (
  archived boolean NOT NULL,
  state text NOT NULL,
  validation_status text NOT NULL,
  compliance_status text NOT NULL,
  certificate_type text NOT NULL,
  subject_type text,
  key_size integer NOT NULL,
  public_key_algorithm text NOT NULL,
  signature_algorithm text,
  protocol text,
  ra_profile_uuid uuid,
  expiry_hour timestamptz,
  issued_on date,
  certificates bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Certificates that came into groups or left them; without a group: those that are in any.
CREATE TABLE certificate_group_delta (
  group_uuid uuid,
  archived boolean NOT NULL,
  certificates bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Certificates by the value of one dimension. The empty value stands for none; in the dimension `group`, for any.
CREATE TABLE certificate_count (
  dimension text NOT NULL,
  value text NOT NULL,
  archived boolean NOT NULL,
  certificates bigint NOT NULL,
  PRIMARY KEY (dimension, value, archived)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Certificates by the day (UTC) of their end; `live` are those in state issued.
CREATE TABLE certificate_expiry_day (
  day date NOT NULL,
  live boolean NOT NULL,
  archived boolean NOT NULL,
  certificates bigint NOT NULL,
  PRIMARY KEY (day, live, archived)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- The same by the hour: the days that bounds of buckets lie in are split by it.
CREATE TABLE certificate_expiry_hour (
  hour timestamptz NOT NULL,
  archived boolean NOT NULL,
  certificates bigint NOT NULL,
  PRIMARY KEY (hour, archived)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- The hours that bounds lie in are split by the certificates themselves; as certificate_by_expiry does for the others.
CREATE INDEX certificate_archived_by_expiry ON certificate (not_after) WHERE archived AND not_after IS NOT NULL;

CREATE FUNCTION count_certificates_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_count_delta
  SELECT archived, state, validation_status, compliance_status, certificate_type, subject_type, key_size, public_key_algorithm,
    signature_algorithm, protocol, ra_profile_uuid, date_trunc('hour', not_after, 'UTC'), (issued_at AT TIME ZONE 'UTC')::date, count(*)
  FROM new_rows GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;
  RETURN NULL;
END $$;

-- The places where a certificate counts in the dimension `group`: its groups, and nothing, for any group, when it has some.
CREATE FUNCTION group_places(certificate_uuid uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT DISTINCT place FROM group_membership m CROSS JOIN unnest(ARRAY[m.group_uuid, NULL]) AS place
  WHERE m.object_resource = 'certificates' AND m.object_uuid = certificate_uuid
$$;

CREATE FUNCTION count_certificates_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_count_delta
  SELECT archived, state, validation_status, compliance_status, certificate_type, subject_type, key_size, public_key_algorithm,
    signature_algorithm, protocol, ra_profile_uuid, date_trunc('hour', not_after, 'UTC'), (issued_at AT TIME ZONE 'UTC')::date, sum(n)
  FROM (SELECT -1 AS n, * FROM old_rows UNION ALL SELECT 1, * FROM new_rows) AS changed
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 HAVING sum(n) <> 0;
  -- What is not in the archive, neither before nor after, counts in its groups as it did.
  IF EXISTS (SELECT FROM old_rows WHERE archived) OR EXISTS (SELECT FROM new_rows WHERE archived) THEN
    INSERT INTO certificate_group_delta
    SELECT place, archived, sum(n)
    FROM (SELECT -1 AS n, uuid, archived FROM old_rows UNION ALL SELECT 1, uuid, archived FROM new_rows) AS changed
    CROSS JOIN LATERAL group_places(uuid) AS place
    GROUP BY place, archived HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION count_certificates_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_count_delta
  SELECT archived, state, validation_status, compliance_status, certificate_type, subject_type, key_size, public_key_algorithm,
    signature_algorithm, protocol, ra_profile_uuid, date_trunc('hour', not_after, 'UTC'), (issued_at AT TIME ZONE 'UTC')::date, -count(*)
  FROM old_rows GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;
  INSERT INTO certificate_group_delta
  SELECT place, archived, -count(*) FROM old_rows CROSS JOIN LATERAL group_places(uuid) AS place GROUP BY place, archived;
  RETURN NULL;
END $$;

CREATE TRIGGER certificate_count_inserted AFTER INSERT ON certificate
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_certificates_inserted();
CREATE TRIGGER certificate_count_updated AFTER UPDATE ON certificate
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_certificates_updated();
CREATE TRIGGER certificate_count_deleted AFTER DELETE ON certificate
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_certificates_deleted();

-- Memberships of a certificate, and whether it is in the archive, change under the lock of its row: each change then sees
-- the one before it. Statements after the lock have a snapshot of their own. A membership is written after its certificate.
CREATE FUNCTION count_group_members_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows WHERE object_resource = 'certificates') THEN
    RETURN NULL;
  END IF;
  PERFORM FROM certificate WHERE uuid IN (SELECT object_uuid FROM new_rows WHERE object_resource = 'certificates')
    ORDER BY uuid FOR NO KEY UPDATE;
  INSERT INTO certificate_group_delta
  SELECT m.group_uuid, c.archived, count(*)
  FROM new_rows m JOIN certificate c ON c.uuid = m.object_uuid WHERE m.object_resource = 'certificates'
  GROUP BY m.group_uuid, c.archived
  UNION ALL
  SELECT NULL, c.archived, count(*)
  FROM (SELECT object_uuid, count(*) AS added FROM new_rows WHERE object_resource = 'certificates' GROUP BY object_uuid) AS m
  JOIN certificate c ON c.uuid = m.object_uuid
  WHERE m.added = (SELECT count(*) FROM group_membership a WHERE a.object_resource = 'certificates' AND a.object_uuid = c.uuid)
  GROUP BY c.archived;
  RETURN NULL;
END $$;

CREATE FUNCTION count_group_members_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM old_rows WHERE object_resource = 'certificates') THEN
    RETURN NULL;
  END IF;
  PERFORM FROM certificate WHERE uuid IN (SELECT object_uuid FROM old_rows WHERE object_resource = 'certificates')
    ORDER BY uuid FOR NO KEY UPDATE;
  INSERT INTO certificate_group_delta
  SELECT m.group_uuid, c.archived, -count(*)
  FROM old_rows m JOIN certificate c ON c.uuid = m.object_uuid WHERE m.object_resource = 'certificates'
  GROUP BY m.group_uuid, c.archived
  UNION ALL
  SELECT NULL, c.archived, -count(*)
  FROM (SELECT DISTINCT object_uuid FROM old_rows WHERE object_resource = 'certificates') AS m
  JOIN certificate c ON c.uuid = m.object_uuid
  WHERE NOT EXISTS (SELECT FROM group_membership a WHERE a.object_resource = 'certificates' AND a.object_uuid = c.uuid)
  GROUP BY c.archived;
  RETURN NULL;
END $$;

CREATE TRIGGER group_membership_count_added AFTER INSERT ON group_membership
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_group_members_added();
CREATE TRIGGER group_membership_count_removed AFTER DELETE ON group_membership
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_group_members_removed();

-- Certificates before groups, as in every change of memberships: called before groups are deleted, it waits for those who
-- change their members, who may be about to look the groups up.
CREATE FUNCTION lock_group_members(group_uuids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM certificate WHERE uuid IN (
    SELECT object_uuid FROM group_membership WHERE object_resource = 'certificates' AND group_uuid = ANY (group_uuids))
    ORDER BY uuid FOR NO KEY UPDATE;
END $$;

-- What is there already: as deltas, which the folder takes like any others.
INSERT INTO certificate_count_delta
SELECT archived, state, validation_status, compliance_status, certificate_type, subject_type, key_size, public_key_algorithm,
  signature_algorithm, protocol, ra_profile_uuid, date_trunc('hour', not_after, 'UTC'), (issued_at AT TIME ZONE 'UTC')::date, count(*)
FROM certificate GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;
INSERT INTO certificate_group_delta
SELECT place, c.archived, count(DISTINCT c.uuid)
FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid CROSS JOIN unnest(ARRAY[m.group_uuid, NULL]) AS place
WHERE m.object_resource = 'certificates' GROUP BY place, c.archived;
