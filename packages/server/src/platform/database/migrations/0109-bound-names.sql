-- A client that authenticates with a certificate gets the names of that certificate. Profiles that are there already keep
-- their behaviour until an administrator decides (null). One-time secrets name alternative names as well.
ALTER TABLE cmp_profile ADD COLUMN bind_names boolean;
ALTER TABLE scep_profile ADD COLUMN bind_names boolean;
ALTER TABLE est_profile ADD COLUMN bind_names boolean;
ALTER TABLE enrolment_secret ADD COLUMN alt_names jsonb NOT NULL DEFAULT '{}';
