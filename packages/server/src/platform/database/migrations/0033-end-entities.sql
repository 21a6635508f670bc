-- The end entity that a certificate was issued to, at authorities of the first generation. The password is kept, sealed,
-- while its certificate is being issued: whoever goes on after a crash asks the authority with it again.
CREATE TABLE certificate_end_entity (
  certificate_uuid uuid PRIMARY KEY REFERENCES certificate (uuid) ON DELETE CASCADE,
  username text NOT NULL,
  sealed_password bytea
);
CREATE INDEX certificate_end_entity_username ON certificate_end_entity (username);

CREATE FUNCTION forget_end_entity_password() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE certificate_end_entity SET sealed_password = NULL WHERE certificate_uuid = NEW.certificate_uuid;
  RETURN NULL;
END $$;

-- However the operation ends: by its worker, by a certificate that turned up, by a person.
CREATE TRIGGER end_entity_password_forgotten AFTER UPDATE OF state ON certificate_operation
  FOR EACH ROW WHEN (NEW.payload ? 'endEntity' AND NEW.state IN ('done', 'failed'))
  EXECUTE FUNCTION forget_end_entity_password();
