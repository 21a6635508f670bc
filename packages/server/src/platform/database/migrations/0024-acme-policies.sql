-- Which names ACME may order, by profile and by external account key (AcmeNamePolicy of the interface, all members
-- present). Null: no rule. The previous version reads and writes neither.
ALTER TABLE acme_profile ADD COLUMN name_policy jsonb;
ALTER TABLE acme_eab_key ADD COLUMN name_policy jsonb;

-- Names under which clients choose another RA profile, each with its description: `{name: {description, raProfileUuid}}`.
ALTER TABLE acme_profile ADD COLUMN offered_profiles jsonb NOT NULL DEFAULT '{}';
-- The one that an order chose; null: that of the ACME profile.
ALTER TABLE acme_order ADD COLUMN profile text;

-- Nothing was said about CAA. Profiles that are there keep what they have: their identities, or no check.
ALTER TABLE acme_profile ADD COLUMN caa_by_default boolean NOT NULL DEFAULT false;
