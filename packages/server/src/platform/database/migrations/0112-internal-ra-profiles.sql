-- RA profiles under which only the platform itself issues, i.e. those of OCSP responders. Those that are there already
-- are known by the certificates of responders, or by the description that the platform gave them. Nothing renews their
-- certificates but the responders themselves.
ALTER TABLE ra_profile ADD COLUMN internal boolean NOT NULL DEFAULT false;
UPDATE ra_profile SET internal = true
WHERE name LIKE 'ocsp-%' AND (
  description LIKE 'Certificates of the OCSP responder of %. Created and used by the platform.'
  OR uuid IN (SELECT c.ra_profile_uuid FROM ocsp_responder r JOIN certificate c ON c.uuid = r.certificate_uuid));
DELETE FROM renewal_setting s USING ra_profile p WHERE p.uuid = s.ra_profile_uuid AND p.internal;
