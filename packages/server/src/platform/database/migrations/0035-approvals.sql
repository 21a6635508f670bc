-- Approvals: who must agree before an operation is carried out, and what was decided. The previous version neither knows
-- nor takes over an operation that waits for approval; of RA profiles with an approval profile it would issue without one.
CREATE TABLE approval_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT approval_profile_name_key UNIQUE,
  latest_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- A version that approvals were requested with is never changed.
CREATE TABLE approval_profile_version (
  uuid uuid PRIMARY KEY,
  approval_profile_uuid uuid NOT NULL REFERENCES approval_profile (uuid) ON DELETE CASCADE,
  version integer NOT NULL,
  description text,
  expiry_hours integer NOT NULL CHECK (expiry_hours > 0),
  allow_own_approval boolean NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (approval_profile_uuid, version)
);

CREATE TABLE approval_step (
  uuid uuid PRIMARY KEY,
  version_uuid uuid NOT NULL REFERENCES approval_profile_version (uuid) ON DELETE CASCADE,
  step_order integer NOT NULL,
  description text,
  user_uuid uuid,
  role_uuid uuid,
  group_uuid uuid,
  required_approvals integer NOT NULL CHECK (required_approvals > 0),
  UNIQUE (version_uuid, step_order),
  CHECK (num_nonnulls(user_uuid, role_uuid, group_uuid) = 1)
);

CREATE TABLE approval (
  uuid uuid PRIMARY KEY,
  version_uuid uuid NOT NULL REFERENCES approval_profile_version (uuid),
  resource text NOT NULL,
  action text NOT NULL,
  object_uuid uuid NOT NULL,
  creator_uuid uuid NOT NULL,
  creator_username text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  expiry_at timestamptz NOT NULL,
  closed_at timestamptz
);

CREATE UNIQUE INDEX approval_pending_object_key ON approval (resource, object_uuid) WHERE status = 'PENDING';
CREATE INDEX approval_by_object ON approval (object_uuid);
CREATE INDEX approval_by_version ON approval (version_uuid);
CREATE INDEX approval_pending_by_expiry ON approval (expiry_at) WHERE status = 'PENDING';

-- One decision each, awaited until somebody of the step makes it.
CREATE TABLE approval_recipient (
  uuid uuid PRIMARY KEY,
  approval_uuid uuid NOT NULL REFERENCES approval (uuid) ON DELETE CASCADE,
  step_uuid uuid NOT NULL REFERENCES approval_step (uuid),
  status text NOT NULL,
  user_uuid uuid,
  username text,
  comment text,
  created_at timestamptz NOT NULL,
  closed_at timestamptz
);

CREATE INDEX approval_recipient_by_approval ON approval_recipient (approval_uuid);
CREATE INDEX approval_recipient_by_step ON approval_recipient (step_uuid);
CREATE INDEX approval_recipient_by_user ON approval_recipient (user_uuid) WHERE user_uuid IS NOT NULL;
CREATE UNIQUE INDEX approval_recipient_awaited_key ON approval_recipient (approval_uuid) WHERE status = 'PENDING';
-- Nobody decides twice on the same approval.
CREATE UNIQUE INDEX approval_recipient_user_key ON approval_recipient (approval_uuid, user_uuid)
  WHERE user_uuid IS NOT NULL;

ALTER TABLE ra_profile ADD COLUMN approval_profile_uuid uuid REFERENCES approval_profile (uuid);
CREATE INDEX ra_profile_by_approval_profile ON ra_profile (approval_profile_uuid) WHERE approval_profile_uuid IS NOT NULL;

-- A certificate whose revocation waits is in force and stays in state issued, for OCSP, for chains, for everything that
-- relies on it; people see it as pending approval.
ALTER TABLE certificate ADD COLUMN revocation_awaits_approval boolean NOT NULL DEFAULT false;
