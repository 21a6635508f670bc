-- The texts of the certificates that are there already. After the triggers and apart from them, so that nobody who writes
-- certificates meanwhile has to wait; what a trigger wrote is newer than what is read here.
INSERT INTO certificate_text (certificate_uuid, text)
SELECT uuid, certificate_text_of(common_name, subject_dn, subject_alternative_names) FROM certificate
ON CONFLICT (certificate_uuid) DO NOTHING;
