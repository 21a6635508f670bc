-- Lists of shards: CRLs for the certificates of one distribution point (RFC 5280 section 5.2.5), kind `shard-1` and on.
-- The version before does not fill `shard`, so it cannot put a list of another scope in their place.
ALTER TABLE published_crl ADD COLUMN shard integer;
ALTER TABLE published_crl DROP CONSTRAINT published_crl_kind_check;
ALTER TABLE published_crl ADD CONSTRAINT published_crl_kind_check
  CHECK (CASE WHEN shard IS NULL THEN kind IN ('full', 'delta') ELSE kind = 'shard-' || shard::text END);

ALTER TABLE revocation_duty DROP CONSTRAINT revocation_duty_duty_check;
ALTER TABLE revocation_duty ADD CONSTRAINT revocation_duty_duty_check
  CHECK (duty IN ('full', 'delta', 'responder') OR duty ~ '^shard-[1-9][0-9]{0,2}$');
