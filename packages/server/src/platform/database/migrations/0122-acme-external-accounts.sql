-- An ACME profile can let the name rules of an external account key replace the validation of names. Authorizations that
-- are valid for this reason have neither a challenge nor a time of validation.
ALTER TABLE acme_profile ADD COLUMN external_account_validates boolean NOT NULL DEFAULT false;
