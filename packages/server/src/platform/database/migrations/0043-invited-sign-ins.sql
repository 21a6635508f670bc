-- A sign-in at a provider that began on the page of an invitation: hash of its secret. Whoever comes back is linked to
-- the user who was invited.
ALTER TABLE provider_sign_in ADD COLUMN invitation_sha256 bytea;
