-- What the words of a free text search are looked for in: name, subject and alternative names of a certificate, in lower case.
-- Apart from the certificate, whose row changes often while its names hardly ever do. Triggers keep it. Where the extension
-- pg_trgm can be had, the platform adds the index certificate_text_trigrams at its start; without it all texts are read.
CREATE TABLE certificate_text (
  certificate_uuid uuid PRIMARY KEY,
  text text NOT NULL
);

CREATE FUNCTION certificate_text_of(common_name text, subject_dn text, names jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(CASE WHEN strpos(subject_dn, common_name) = 0 THEN common_name || E'\n' ELSE '' END || subject_dn
    || coalesce((SELECT string_agg(E'\n' || (name #>> '{}'), '') FROM jsonb_path_query(names, '$.*[*]') AS name), ''))
$$;

CREATE FUNCTION keep_certificate_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_text (certificate_uuid, text)
  VALUES (NEW.uuid, certificate_text_of(NEW.common_name, NEW.subject_dn, NEW.subject_alternative_names))
  ON CONFLICT (certificate_uuid) DO UPDATE SET text = EXCLUDED.text;
  RETURN NULL;
END $$;

CREATE FUNCTION remove_certificate_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM certificate_text WHERE certificate_uuid = OLD.uuid;
  RETURN NULL;
END $$;

CREATE TRIGGER certificate_text_inserted AFTER INSERT ON certificate
  FOR EACH ROW EXECUTE FUNCTION keep_certificate_text();
CREATE TRIGGER certificate_text_updated AFTER UPDATE OF common_name, subject_dn, subject_alternative_names ON certificate
  FOR EACH ROW WHEN (OLD.common_name <> NEW.common_name OR OLD.subject_dn <> NEW.subject_dn
    OR OLD.subject_alternative_names <> NEW.subject_alternative_names)
  EXECUTE FUNCTION keep_certificate_text();
CREATE TRIGGER certificate_text_removed AFTER DELETE ON certificate
  FOR EACH ROW EXECUTE FUNCTION remove_certificate_text();

-- Pages sorted by expiry are read from this index alone, however deep they are.
DROP INDEX certificate_by_expiry;
CREATE INDEX certificate_by_expiry ON certificate (not_after, uuid) WHERE NOT archived AND not_after IS NOT NULL;
