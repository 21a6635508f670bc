-- Certificates whose key is in a token are renewed as well: such a renewal has no location.
ALTER TABLE renewal_setting
  ADD COLUMN token_keys boolean NOT NULL DEFAULT false,
  ADD COLUMN paused boolean NOT NULL DEFAULT false;

ALTER TABLE renewal
  ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The successor was asked for, and whether it is issued is not known yet: it may have to be approved.
  ADD COLUMN awaits_issue boolean NOT NULL DEFAULT false;
ALTER TABLE renewal DROP CONSTRAINT renewal_pkey;
ALTER TABLE renewal ADD PRIMARY KEY (uuid), ALTER COLUMN location_uuid DROP NOT NULL;
CREATE UNIQUE INDEX renewal_of_certificate ON renewal (location_uuid, certificate_uuid) NULLS NOT DISTINCT;
CREATE INDEX renewal_awaiting ON renewal (successor_uuid) WHERE awaits_issue;

-- How many renewals are begun at an authority within an hour; without a row there is no limit.
CREATE TABLE renewal_limit (
  authority_uuid uuid PRIMARY KEY REFERENCES authority (uuid) ON DELETE CASCADE,
  per_hour integer NOT NULL
);

-- Every try of a renewal. One without an end is under way, or its node died.
CREATE TABLE renewal_attempt (
  uuid uuid PRIMARY KEY,
  renewal_uuid uuid NOT NULL,
  certificate_uuid uuid NOT NULL REFERENCES certificate (uuid) ON DELETE CASCADE,
  authority_uuid uuid,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  problem text,
  successor_uuid uuid
);

CREATE INDEX renewal_attempt_by_certificate ON renewal_attempt (certificate_uuid, started_at DESC);
CREATE INDEX renewal_attempt_by_authority ON renewal_attempt (authority_uuid, started_at);
CREATE INDEX renewal_attempt_open ON renewal_attempt (renewal_uuid) WHERE ended_at IS NULL;
