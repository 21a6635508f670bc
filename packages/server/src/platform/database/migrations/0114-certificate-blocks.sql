-- Where the pages of the list of all certificates begin: listed certificates (not archived) by ranges of identifiers,
-- counted. A page deep in the list is found from these counts, without reading the pages before it. Blocks are split as
-- they grow; what has changed and is not in a count yet is in the deltas.
CREATE TABLE certificate_block (
  -- The range ends before the next block.
  first_uuid uuid PRIMARY KEY,
  listed bigint NOT NULL
);
CREATE TABLE certificate_block_delta (
  certificate_uuid uuid NOT NULL,
  listed integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE FUNCTION note_listed_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_block_delta SELECT uuid, 1 FROM new_rows WHERE NOT archived;
  RETURN NULL;
END $$;

CREATE FUNCTION note_listed_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_block_delta VALUES (NEW.uuid, CASE WHEN NEW.archived THEN -1 ELSE 1 END);
  RETURN NULL;
END $$;

CREATE FUNCTION note_listed_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_block_delta SELECT uuid, -1 FROM old_rows WHERE NOT archived;
  RETURN NULL;
END $$;

LOCK TABLE certificate IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER certificate_listed_inserted AFTER INSERT ON certificate
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_listed_inserted();
CREATE TRIGGER certificate_listed_archived AFTER UPDATE OF archived ON certificate
  FOR EACH ROW WHEN (OLD.archived <> NEW.archived) EXECUTE FUNCTION note_listed_archived();
CREATE TRIGGER certificate_listed_deleted AFTER DELETE ON certificate
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_listed_deleted();

INSERT INTO certificate_block (first_uuid, listed)
WITH rows AS MATERIALIZED (SELECT uuid, row_number() OVER (ORDER BY uuid) - 1 AS place FROM certificate WHERE NOT archived),
  starts AS (
    SELECT '00000000-0000-0000-0000-000000000000'::uuid AS uuid, 0 AS place
    UNION ALL SELECT uuid, place FROM rows WHERE place > 0 AND place % 1000 = 0)
SELECT uuid, lead(place, 1, (SELECT count(*) FROM rows)) OVER (ORDER BY place) - place FROM starts;
