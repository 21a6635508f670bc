-- Some issuers gave one serial number to two certificates, against RFC 5280 section 4.1.2.2; an inventory holds both. The
-- first to come in has the serial number; those that came in with it later, by upload and not by issuing, are marked.
ALTER TABLE certificate ADD COLUMN repeats_serial boolean;
DROP INDEX certificate_issuer_serial_key;
CREATE UNIQUE INDEX certificate_issuer_serial_key ON certificate
  (issuer_certificate_uuid, serial_number, (CASE WHEN repeats_serial THEN uuid END)) NULLS NOT DISTINCT
  WHERE issuer_certificate_uuid IS NOT NULL AND state <> 'failed';
