-- A revocation is noted by issuer and serial number as before; a compromised key that is reported later now replaces the
-- reason there too (RFC 5280 section 5.3.1). The version before this one never changes the reason of a revoked
-- certificate, so both can run at once.
CREATE OR REPLACE FUNCTION note_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issued_certificate AS known (issuer_key, serial_number, not_after, revoked_at, revocation_reason)
  SELECT issuer.public_key_fingerprint, NEW.serial_number, NEW.not_after, NEW.revoked_at, NEW.revocation_reason
  FROM certificate issuer WHERE issuer.uuid = NEW.issuer_certificate_uuid AND NEW.serial_number IS NOT NULL
  ON CONFLICT (issuer_key, serial_number) DO UPDATE
    SET revoked_at = coalesce(known.revoked_at, EXCLUDED.revoked_at), revocation_reason = EXCLUDED.revocation_reason
    WHERE known.revoked_at IS NULL OR known.revocation_reason = 'certificateHold'
      OR (EXCLUDED.revocation_reason IN ('keyCompromise', 'cACompromise')
        AND coalesce(known.revocation_reason, 'unspecified') NOT IN ('keyCompromise', 'cACompromise'));
  IF NEW.revocation_reason IN ('keyCompromise', 'cACompromise') THEN
    INSERT INTO compromised_key (public_key_fingerprint, known_since)
    VALUES (NEW.public_key_fingerprint, NEW.updated_at) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
