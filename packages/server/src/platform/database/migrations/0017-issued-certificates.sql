-- What is known of certificates by issuer and serial number, as far as the inventory cannot tell it alone: those that
-- were revoked, and those of our authorities that left the inventory. Rows are never deleted. `issuer_key` is the
-- lower-case hex SHA-256 of the issuer's public key, as in certificate.public_key_fingerprint: it outlives every
-- certificate of the issuer.
CREATE TABLE issued_certificate (
  issuer_key text NOT NULL,
  serial_number text NOT NULL,
  not_after timestamptz,
  revoked_at timestamptz,
  revocation_reason text,
  PRIMARY KEY (issuer_key, serial_number)
);

-- Keys of certificates that were revoked because the key is compromised, also after those certificates were deleted.
CREATE TABLE compromised_key (
  public_key_fingerprint text PRIMARY KEY,
  known_since timestamptz NOT NULL
);

-- Triggers write both, in the transaction of the change: whatever changes a certificate, also the version before this
-- one, keeps them. None of them has work when a certificate is issued.

-- Revoked: noted by issuer and serial number. The first revocation stands; only a hold can become final (RFC 5280
-- section 5.3.1).
CREATE FUNCTION note_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issued_certificate AS known (issuer_key, serial_number, not_after, revoked_at, revocation_reason)
  SELECT issuer.public_key_fingerprint, NEW.serial_number, NEW.not_after, NEW.revoked_at, NEW.revocation_reason
  FROM certificate issuer WHERE issuer.uuid = NEW.issuer_certificate_uuid AND NEW.serial_number IS NOT NULL
  ON CONFLICT (issuer_key, serial_number) DO UPDATE
    SET revoked_at = coalesce(known.revoked_at, EXCLUDED.revoked_at), revocation_reason = EXCLUDED.revocation_reason
    WHERE known.revoked_at IS NULL OR known.revocation_reason = 'certificateHold';
  IF NEW.revocation_reason IN ('keyCompromise', 'cACompromise') THEN
    INSERT INTO compromised_key (public_key_fingerprint, known_since)
    VALUES (NEW.public_key_fingerprint, NEW.revoked_at) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER certificate_revocation_noted AFTER UPDATE OF revoked_at, revocation_reason ON certificate
  FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL
    AND (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.revocation_reason IS DISTINCT FROM NEW.revocation_reason))
  EXECUTE FUNCTION note_revocation();

-- Comes in again, or is tied to its issuer later: has the state that its issuer gave it.
CREATE FUNCTION take_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
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
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER certificate_inserted_takes_revocation BEFORE INSERT ON certificate
  FOR EACH ROW WHEN (NEW.state = 'issued' AND NEW.issuer_certificate_uuid IS NOT NULL)
  EXECUTE FUNCTION take_revocation();
CREATE TRIGGER certificate_tied_takes_revocation BEFORE UPDATE OF issuer_certificate_uuid ON certificate
  FOR EACH ROW WHEN (OLD.state = 'issued' AND NEW.state = 'issued' AND NEW.issuer_certificate_uuid IS NOT NULL
    AND OLD.issuer_certificate_uuid IS DISTINCT FROM NEW.issuer_certificate_uuid)
  EXECUTE FUNCTION take_revocation();

-- Leaves the inventory: what our authorities issued stays known. Ours is what the platform had issued, and what bears
-- the signature of a CA of one of our authorities.
CREATE FUNCTION keep_issued() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issued_certificate AS known (issuer_key, serial_number, not_after, revoked_at, revocation_reason)
  SELECT DISTINCT ON (1, 2) issuer.public_key_fingerprint, gone.serial_number, gone.not_after, gone.revoked_at, gone.revocation_reason
  FROM old_rows gone JOIN certificate issuer ON issuer.uuid = gone.issuer_certificate_uuid
  WHERE gone.serial_number IS NOT NULL AND gone.state <> 'failed'
    AND (gone.issued_at IS NOT NULL OR gone.revoked_at IS NOT NULL
      OR EXISTS (SELECT FROM ra_profile p WHERE p.ca_certificate_uuid = issuer.uuid)
      OR EXISTS (SELECT FROM authority_issuer a WHERE a.certificate_uuid = issuer.uuid))
  ORDER BY 1, 2, gone.revoked_at
  ON CONFLICT (issuer_key, serial_number) DO UPDATE
    SET revoked_at = EXCLUDED.revoked_at, revocation_reason = EXCLUDED.revocation_reason
    WHERE known.revoked_at IS NULL AND EXCLUDED.revoked_at IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER certificate_issued_kept AFTER DELETE ON certificate
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_issued();

-- What is revoked already. After the triggers, so that nothing that is revoked meanwhile is missed.
INSERT INTO issued_certificate AS known (issuer_key, serial_number, not_after, revoked_at, revocation_reason)
SELECT DISTINCT ON (1, 2) issuer.public_key_fingerprint, c.serial_number, c.not_after, c.revoked_at, c.revocation_reason
FROM certificate c JOIN certificate issuer ON issuer.uuid = c.issuer_certificate_uuid
WHERE c.revoked_at IS NOT NULL AND c.serial_number IS NOT NULL AND c.state <> 'failed'
ORDER BY 1, 2, c.revoked_at
ON CONFLICT (issuer_key, serial_number) DO NOTHING;

INSERT INTO compromised_key (public_key_fingerprint, known_since)
SELECT public_key_fingerprint, min(coalesce(revoked_at, updated_at)) FROM certificate
WHERE revocation_reason IN ('keyCompromise', 'cACompromise') GROUP BY public_key_fingerprint
ON CONFLICT DO NOTHING;
