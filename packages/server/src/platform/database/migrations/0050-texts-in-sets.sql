-- The texts of certificates that come in many at once are written by one statement, not by one for each of them. The
-- text is that of certificate_text_of, written out: a function with a query in it is called row by row at ten times the
-- cost.
CREATE FUNCTION keep_certificate_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_text (certificate_uuid, text)
  SELECT uuid, lower(CASE WHEN strpos(subject_dn, common_name) = 0 THEN common_name || E'\n' ELSE '' END || subject_dn
    || coalesce((SELECT string_agg(E'\n' || (name #>> '{}'), '')
        FROM jsonb_path_query(subject_alternative_names, '$.*[*]') AS name), ''))
  FROM new_rows
  ON CONFLICT (certificate_uuid) DO UPDATE SET text = EXCLUDED.text;
  RETURN NULL;
END $$;

DROP TRIGGER certificate_text_inserted ON certificate;
CREATE TRIGGER certificate_text_inserted AFTER INSERT ON certificate
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_certificate_texts();
