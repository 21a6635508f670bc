-- The endpoint that serves what a location holds. It is asked after a push until it shows the new certificate.
CREATE TABLE location_probe (
  location_uuid uuid PRIMARY KEY REFERENCES location (uuid) ON DELETE CASCADE,
  host text NOT NULL,
  port integer NOT NULL,
  server_name text,
  start_tls text,
  timeout_s integer NOT NULL,
  restore_previous boolean NOT NULL
);

-- Further states of location_certificate. served: the endpoint has shown it; replaced: another one took its place, and
-- it comes back if that is not served; not_served: the endpoint did not show it in time.
ALTER TABLE location_certificate
  ADD COLUMN served_at timestamptz,
  -- Until when the endpoint is asked, and when it is asked next; both are null where it is not being asked.
  ADD COLUMN asked_until timestamptz,
  ADD COLUMN ask_at timestamptz;

CREATE INDEX location_certificate_asked ON location_certificate (ask_at) WHERE ask_at IS NOT NULL;
