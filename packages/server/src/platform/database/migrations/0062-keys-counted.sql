-- How many items of keys there are of each kind: counters and what no counter has yet in one table, which is summed up.
-- Every change of a key or an item adds rows for what it changed; nobody updates a row, so changes do not wait for each
-- other. From time to time the rows are added up (ADR 55).
CREATE TABLE key_item_count (
  token_uuid uuid,
  token_profile_uuid uuid,
  owner_uuid uuid,
  owner_username text,
  type text NOT NULL,
  algorithm text NOT NULL,
  format text NOT NULL,
  length integer NOT NULL,
  usages smallint NOT NULL,
  state text NOT NULL,
  items integer NOT NULL,
  added_up boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE INDEX key_item_count_to_add_up ON key_item_count (added_up) WHERE NOT added_up;

-- An item counts under its key. The key is held while one of its items changes, so that neither change misses what the
-- other does to what they are counted by together; what comes after that sees what was committed in the meantime.
CREATE FUNCTION count_key_items_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM key WHERE uuid IN (SELECT key_uuid FROM new_rows) ORDER BY uuid FOR SHARE;
  INSERT INTO key_item_count
  SELECT k.token_uuid, k.token_profile_uuid, k.owner_uuid, k.owner_username, i.type, i.algorithm, i.format, i.length,
    i.usages, i.state, count(*)
  FROM new_rows i JOIN key k ON k.uuid = i.key_uuid GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
  RETURN NULL;
END $$;

CREATE FUNCTION count_key_items_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM old_rows o JOIN new_rows n USING (uuid)
    WHERE (o.type, o.algorithm, o.format, o.length, o.usages, o.state)
      <> (n.type, n.algorithm, n.format, n.length, n.usages, n.state)) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM key WHERE uuid IN (SELECT key_uuid FROM new_rows) ORDER BY uuid FOR SHARE;
  INSERT INTO key_item_count
  SELECT k.token_uuid, k.token_profile_uuid, k.owner_uuid, k.owner_username, i.type, i.algorithm, i.format, i.length,
    i.usages, i.state, sum(i.n)
  FROM (SELECT -1 AS n, * FROM old_rows UNION ALL SELECT 1, * FROM new_rows) AS i JOIN key k ON k.uuid = i.key_uuid
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 HAVING sum(i.n) <> 0;
  RETURN NULL;
END $$;

CREATE FUNCTION count_key_items_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM key WHERE uuid IN (SELECT key_uuid FROM old_rows) ORDER BY uuid FOR SHARE;
  INSERT INTO key_item_count
  SELECT k.token_uuid, k.token_profile_uuid, k.owner_uuid, k.owner_username, i.type, i.algorithm, i.format, i.length,
    i.usages, i.state, -count(*)
  FROM old_rows i JOIN key k ON k.uuid = i.key_uuid GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
  RETURN NULL;
END $$;

-- The statement of the trigger sees what was committed while the update of the key waited.
CREATE FUNCTION count_key_items_of_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_item_count
  SELECT k.token_uuid, k.token_profile_uuid, k.owner_uuid, k.owner_username, i.type, i.algorithm, i.format, i.length,
    i.usages, i.state, sum(k.n)
  FROM (SELECT -1 AS n, * FROM old_rows UNION ALL SELECT 1, * FROM new_rows) AS k JOIN key_item i ON i.key_uuid = k.uuid
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 HAVING sum(k.n) <> 0;
  RETURN NULL;
END $$;

-- Items go before their key, while it still says what they are counted by.
CREATE FUNCTION remove_items_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM key_item WHERE key_uuid = OLD.uuid;
  RETURN OLD;
END $$;

CREATE TRIGGER key_item_count_inserted AFTER INSERT ON key_item
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_key_items_inserted();
CREATE TRIGGER key_item_count_updated AFTER UPDATE ON key_item
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_key_items_updated();
CREATE TRIGGER key_item_count_deleted AFTER DELETE ON key_item
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_key_items_deleted();
CREATE TRIGGER key_item_count_of_keys AFTER UPDATE ON key
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_key_items_of_keys();
CREATE TRIGGER key_items_removed BEFORE DELETE ON key FOR EACH ROW EXECUTE FUNCTION remove_items_of_key();

INSERT INTO key_item_count
SELECT k.token_uuid, k.token_profile_uuid, k.owner_uuid, k.owner_username, i.type, i.algorithm, i.format, i.length,
  i.usages, i.state, count(*), true
FROM key_item i JOIN key k ON k.uuid = i.key_uuid GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;

-- The newest of each kind, and all of a rare one.
CREATE INDEX key_item_by_type ON key_item (type, created_at DESC, uuid DESC);
CREATE INDEX key_item_by_algorithm ON key_item (algorithm, created_at DESC, uuid DESC);
CREATE INDEX key_item_by_length ON key_item (length, created_at DESC, uuid DESC);
CREATE INDEX key_item_by_state ON key_item (state, created_at DESC, uuid DESC);
CREATE INDEX key_by_owner_name ON key (owner_username) WHERE owner_username IS NOT NULL;
