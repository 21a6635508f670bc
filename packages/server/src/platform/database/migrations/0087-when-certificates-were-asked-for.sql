-- Since when a certificate is in a location or is to be there; that it is put back later does not change it.
ALTER TABLE location_certificate ADD COLUMN noted_at timestamptz NOT NULL DEFAULT now();
UPDATE location_certificate SET noted_at = changed_at;
