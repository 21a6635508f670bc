-- Which names ACME may order, by profile and by external account key (AcmeNamePolicy of the interface, all members
-- present). Null: no rule. The previous version reads and writes neither.
ALTER TABLE acme_profile ADD COLUMN name_policy jsonb;
ALTER TABLE acme_eab_key ADD COLUMN name_policy jsonb;
