-- Filters on names are counted from the texts alone, whose rows are a fifth of those of the certificates: with the names
-- as they are written, and whether the certificate is listed. The table is made anew: changing every row would leave
-- twice as many pages and change every entry of its index. While that goes on nobody writes certificates; they are read
-- as always. The platform makes the index of trigrams again when it has started.
LOCK TABLE certificate IN SHARE MODE;

CREATE TABLE certificate_text_counted (
  certificate_uuid uuid NOT NULL,
  archived boolean NOT NULL,
  text text NOT NULL,
  common_name text NOT NULL,
  -- As JSON.
  alternative_names text NOT NULL
);
INSERT INTO certificate_text_counted
SELECT c.uuid, c.archived, t.text, c.common_name, c.subject_alternative_names::text
FROM certificate c JOIN certificate_text t ON t.certificate_uuid = c.uuid ORDER BY c.uuid;
ALTER TABLE certificate_text_counted ADD CONSTRAINT certificate_text_counted_pkey PRIMARY KEY (certificate_uuid);
ANALYZE certificate_text_counted;
DROP TABLE certificate_text;
ALTER TABLE certificate_text_counted RENAME TO certificate_text;
ALTER TABLE certificate_text RENAME CONSTRAINT certificate_text_counted_pkey TO certificate_text_pkey;

CREATE OR REPLACE FUNCTION keep_certificate_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_text (certificate_uuid, archived, text, common_name, alternative_names)
  VALUES (NEW.uuid, NEW.archived, certificate_text_of(NEW.common_name, NEW.subject_dn, NEW.subject_alternative_names),
    NEW.common_name, NEW.subject_alternative_names::text)
  ON CONFLICT (certificate_uuid) DO UPDATE SET archived = EXCLUDED.archived, text = EXCLUDED.text,
    common_name = EXCLUDED.common_name, alternative_names = EXCLUDED.alternative_names;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION keep_certificate_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_text (certificate_uuid, archived, text, common_name, alternative_names)
  SELECT uuid, archived, lower(CASE WHEN strpos(subject_dn, common_name) = 0 THEN common_name || E'\n' ELSE '' END || subject_dn
    || coalesce((SELECT string_agg(E'\n' || (name #>> '{}'), '')
        FROM jsonb_path_query(subject_alternative_names, '$.*[*]') AS name), '')),
    common_name, subject_alternative_names::text
  FROM new_rows
  ON CONFLICT (certificate_uuid) DO UPDATE SET archived = EXCLUDED.archived, text = EXCLUDED.text,
    common_name = EXCLUDED.common_name, alternative_names = EXCLUDED.alternative_names;
  RETURN NULL;
END $$;

CREATE FUNCTION keep_certificate_text_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE certificate_text SET archived = NEW.archived WHERE certificate_uuid = NEW.uuid;
  RETURN NULL;
END $$;

CREATE TRIGGER certificate_text_archived AFTER UPDATE OF archived ON certificate
  FOR EACH ROW WHEN (OLD.archived <> NEW.archived) EXECUTE FUNCTION keep_certificate_text_archived();
