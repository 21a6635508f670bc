-- Revocations that a CRL or an OCSP response outside stated, as opposed to those that the platform made: their issuer
-- may release a hold (RFC 5280 section 5.3.1) or correct a CRL, and the certificate is then not revoked any more.
ALTER TABLE certificate ADD COLUMN revocation_source text;
ALTER TABLE certificate ADD COLUMN revocation_stated_at timestamptz;
ALTER TABLE issued_certificate ADD COLUMN revocation_source text;
ALTER TABLE issued_certificate ADD COLUMN revocation_stated_at timestamptz;
ALTER TABLE compromised_key ADD COLUMN stated_for uuid;
COMMENT ON COLUMN certificate.revocation_source IS 'CRL or OCSP and the URL that stated the revocation; null when the platform made it';
COMMENT ON COLUMN certificate.revocation_stated_at IS 'thisUpdate of that CRL or OCSP response; an older one does not lift the revocation';
COMMENT ON COLUMN compromised_key.stated_for IS 'The certificate, where only a CRL or OCSP response stated the compromise';

-- A statement from outside may be replaced by a later one, in either direction; the platform's own revocation stands as
-- before.
CREATE OR REPLACE FUNCTION note_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issued_certificate AS known (issuer_key, serial_number, not_after, revoked_at, revocation_reason, revocation_source, revocation_stated_at)
  SELECT issuer.public_key_fingerprint, NEW.serial_number, NEW.not_after, NEW.revoked_at, NEW.revocation_reason, NEW.revocation_source, NEW.revocation_stated_at
  FROM certificate issuer WHERE issuer.uuid = NEW.issuer_certificate_uuid AND NEW.serial_number IS NOT NULL
  ON CONFLICT (issuer_key, serial_number) DO UPDATE
    SET revoked_at = CASE WHEN known.revocation_source IS NULL THEN coalesce(known.revoked_at, EXCLUDED.revoked_at) ELSE EXCLUDED.revoked_at END,
      revocation_reason = EXCLUDED.revocation_reason,
      revocation_source = EXCLUDED.revocation_source, revocation_stated_at = EXCLUDED.revocation_stated_at
    WHERE known.revoked_at IS NULL OR known.revocation_source IS NOT NULL OR known.revocation_reason = 'certificateHold'
      OR (EXCLUDED.revocation_reason IN ('keyCompromise', 'cACompromise')
        AND coalesce(known.revocation_reason, 'unspecified') NOT IN ('keyCompromise', 'cACompromise'));
  IF NEW.revocation_reason IN ('keyCompromise', 'cACompromise') THEN
    INSERT INTO compromised_key AS known (public_key_fingerprint, known_since, stated_for)
    VALUES (NEW.public_key_fingerprint, NEW.updated_at, CASE WHEN NEW.revocation_source IS NOT NULL THEN NEW.uuid END)
    ON CONFLICT (public_key_fingerprint) DO UPDATE SET stated_for = NULL
      WHERE known.stated_for IS NOT NULL AND EXCLUDED.stated_for IS NULL;
  ELSE
    PERFORM withdraw_compromise(NEW.uuid);
  END IF;
  RETURN NULL;
END $$;

-- The key of a certificate is compromised only as long as a statement says so, unless another one says the same.
CREATE FUNCTION withdraw_compromise(certificate_uuid uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM compromised_key k WHERE k.stated_for = certificate_uuid
    AND NOT EXISTS (SELECT FROM certificate other WHERE other.public_key_fingerprint = k.public_key_fingerprint
      AND other.uuid <> certificate_uuid AND other.revocation_reason IN ('keyCompromise', 'cACompromise'));
$$;
CREATE INDEX compromised_key_stated_for ON compromised_key (stated_for) WHERE stated_for IS NOT NULL;

DROP TRIGGER certificate_revocation_noted ON certificate;
CREATE TRIGGER certificate_revocation_noted
  AFTER UPDATE OF revoked_at, revocation_reason, revocation_source ON certificate
  FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL
    AND (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.revocation_reason IS DISTINCT FROM NEW.revocation_reason
      OR OLD.revocation_source IS DISTINCT FROM NEW.revocation_source))
  EXECUTE FUNCTION note_revocation();

-- Not revoked any more: released from hold, or not on the newer CRL.
CREATE FUNCTION note_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE issued_certificate known
  SET revoked_at = NULL, revocation_reason = NULL, revocation_source = NULL, revocation_stated_at = NULL
  FROM certificate issuer
  WHERE issuer.uuid = NEW.issuer_certificate_uuid AND known.issuer_key = issuer.public_key_fingerprint
    AND known.serial_number = NEW.serial_number;
  PERFORM withdraw_compromise(NEW.uuid);
  RETURN NULL;
END $$;
CREATE TRIGGER certificate_release_noted AFTER UPDATE OF revoked_at ON certificate
  FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
  EXECUTE FUNCTION note_release();

CREATE OR REPLACE FUNCTION take_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known issued_certificate;
BEGIN
  SELECT i.* INTO known FROM issued_certificate i
  JOIN certificate issuer ON issuer.uuid = NEW.issuer_certificate_uuid AND issuer.public_key_fingerprint = i.issuer_key
  WHERE i.serial_number = NEW.serial_number AND i.revoked_at IS NOT NULL;
  IF FOUND THEN
    NEW.state := 'revoked';
    NEW.validation_status := 'revoked';
    NEW.revoked_at := known.revoked_at;
    NEW.revocation_reason := known.revocation_reason;
    NEW.revocation_source := known.revocation_source;
    NEW.revocation_stated_at := known.revocation_stated_at;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION keep_issued() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issued_certificate AS known (issuer_key, serial_number, not_after, revoked_at, revocation_reason, revocation_source, revocation_stated_at)
  SELECT DISTINCT ON (1, 2) issuer.public_key_fingerprint, gone.serial_number, gone.not_after, gone.revoked_at, gone.revocation_reason,
    gone.revocation_source, gone.revocation_stated_at
  FROM old_rows gone JOIN certificate issuer ON issuer.uuid = gone.issuer_certificate_uuid
  WHERE gone.serial_number IS NOT NULL AND gone.state <> 'failed'
    AND (gone.issued_at IS NOT NULL OR gone.revoked_at IS NOT NULL
      OR EXISTS (SELECT FROM ra_profile p WHERE p.ca_certificate_uuid = issuer.uuid)
      OR EXISTS (SELECT FROM authority_issuer a WHERE a.certificate_uuid = issuer.uuid))
  ORDER BY 1, 2, gone.revoked_at
  ON CONFLICT (issuer_key, serial_number) DO UPDATE
    SET revoked_at = EXCLUDED.revoked_at, revocation_reason = EXCLUDED.revocation_reason,
      revocation_source = EXCLUDED.revocation_source, revocation_stated_at = EXCLUDED.revocation_stated_at
    WHERE known.revoked_at IS NULL AND EXCLUDED.revoked_at IS NOT NULL;
  RETURN NULL;
END $$;

-- What earlier versions learned outside has the time of detection and no reason. It is looked up again soon after the
-- upgrade. Certificates of authorities of the platform, and those that the platform revoked, keep what they have.
WITH learned AS (
  UPDATE certificate c SET revocation_source = 'unknown'
  WHERE c.state = 'revoked' AND c.revoked_at IS NOT NULL AND c.revocation_reason = 'unspecified' AND c.issued_at IS NULL
    AND NOT EXISTS (SELECT FROM ra_profile p WHERE p.ca_certificate_uuid = c.issuer_certificate_uuid)
    AND NOT EXISTS (SELECT FROM authority_issuer a WHERE a.certificate_uuid = c.issuer_certificate_uuid)
    AND NOT EXISTS (SELECT FROM certificate_operation o WHERE o.certificate_uuid = c.uuid AND o.kind = 'revoke' AND o.state <> 'failed')
    AND NOT EXISTS (SELECT FROM certificate_history h WHERE h.certificate_uuid = c.uuid
      AND h.event = 'Revoke Certificate' AND h.status = 'SUCCESS')
  RETURNING c.uuid, c.archived, c.not_after)
INSERT INTO certificate_check AS known (certificate_uuid, checked_at, due_at)
SELECT uuid, now(), now() FROM learned WHERE NOT archived AND not_after > now()
ON CONFLICT (certificate_uuid) DO UPDATE SET due_at = excluded.due_at;
