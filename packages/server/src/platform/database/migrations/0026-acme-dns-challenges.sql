-- Challenges that an ACME profile offers beside http-01, dns-01 and tls-alpn-01. The previous version knows none of them:
-- it neither offers nor validates them.
ALTER TABLE acme_profile ADD COLUMN additional_challenges text[] NOT NULL DEFAULT '{}';

-- Thumbprints of the keys that an account had before its own, the youngest first: records of dns-persist-01 may name any
-- of them. Changes of key made by the previous version are not in it.
ALTER TABLE acme_account ADD COLUMN former_key_thumbprints text[] NOT NULL DEFAULT '{}';

-- Scheme and authority under which the client responded to a challenge under way; null: those that the platform tells.
-- Whoever takes the validation over knows by them how the client knows its account.
ALTER TABLE acme_authorization ADD COLUMN origin text;
