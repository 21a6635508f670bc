-- Whether certificates of an RA profile are renewed by the platform; without a row they are not.
CREATE TABLE renewal_setting (
  ra_profile_uuid uuid PRIMARY KEY REFERENCES ra_profile (uuid) ON DELETE CASCADE,
  automatic boolean NOT NULL,
  -- Null: from the last third of the lifetime on.
  days_before integer
);

-- Certificates in locations that the platform renews. planned: when its time comes, or again after it failed; renewing:
-- a node is at it until leased_until; renewed: the successor was issued; ended: the certificate ended before.
CREATE TABLE renewal (
  location_uuid uuid NOT NULL REFERENCES location (uuid) ON DELETE CASCADE,
  certificate_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  ra_profile_uuid uuid NOT NULL REFERENCES ra_profile (uuid) ON DELETE CASCADE,
  state text NOT NULL,
  next_at timestamptz NOT NULL,
  leased_until timestamptz,
  attempts integer NOT NULL,
  problem text,
  successor_uuid uuid,
  PRIMARY KEY (location_uuid, certificate_uuid)
);

CREATE INDEX renewal_due ON renewal (next_at) WHERE state IN ('planned', 'renewing');
CREATE INDEX renewal_by_ra_profile ON renewal (ra_profile_uuid, next_at);
CREATE INDEX renewal_by_certificate ON renewal (certificate_uuid);
CREATE INDEX renewal_by_successor ON renewal (successor_uuid) WHERE successor_uuid IS NOT NULL;
