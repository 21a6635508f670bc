-- How many days before the end of certificates people are told, where an RA profile or a group says something of its
-- own. What the platform says is a section of its settings.
CREATE TABLE expiry_threshold_of_ra_profile (
  ra_profile_uuid uuid PRIMARY KEY REFERENCES ra_profile (uuid) ON DELETE CASCADE,
  days integer[] NOT NULL
);

CREATE TABLE expiry_threshold_of_group (
  group_uuid uuid PRIMARY KEY REFERENCES object_group (uuid) ON DELETE CASCADE,
  days integer[] NOT NULL
);

-- What was told: each threshold once for a certificate.
CREATE TABLE expiry_notice (
  certificate_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  days integer NOT NULL,
  raised_at timestamptz NOT NULL,
  PRIMARY KEY (certificate_uuid, days)
);
