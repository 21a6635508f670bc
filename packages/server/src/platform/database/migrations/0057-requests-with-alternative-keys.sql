-- The alternative key and signature of requests for hybrid certificates (X.509 2019), as certificates have them.
ALTER TABLE certificate_request
  ADD COLUMN alt_public_key_algorithm text,
  ADD COLUMN alt_key_size integer,
  ADD COLUMN alt_signature_algorithm text;
