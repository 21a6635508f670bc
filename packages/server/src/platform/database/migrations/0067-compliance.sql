-- Rules made here: conditions as in searches.
CREATE TABLE compliance_internal_rule (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT compliance_internal_rule_name_key UNIQUE,
  description text,
  resource text NOT NULL,
  conditions jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE compliance_profile (
  uuid uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT compliance_profile_name_key UNIQUE,
  description text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE compliance_profile_internal_rule (
  profile_uuid uuid NOT NULL REFERENCES compliance_profile (uuid) ON DELETE CASCADE,
  rule_uuid uuid NOT NULL REFERENCES compliance_internal_rule (uuid),
  PRIMARY KEY (profile_uuid, rule_uuid)
);
CREATE INDEX compliance_profile_internal_rule_by_rule ON compliance_profile_internal_rule (rule_uuid);

-- Rules (`is_group` false) and groups of providers, with what was known of them when they were added. The connector may
-- be gone; its name stays.
CREATE TABLE compliance_profile_provider_rule (
  profile_uuid uuid NOT NULL REFERENCES compliance_profile (uuid) ON DELETE CASCADE,
  connector_uuid uuid NOT NULL,
  connector_name text NOT NULL,
  kind text NOT NULL,
  is_group boolean NOT NULL,
  provider_uuid uuid NOT NULL,
  name text NOT NULL,
  description text,
  group_uuid uuid,
  resource text,
  type text,
  format text,
  has_attributes boolean NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (profile_uuid, connector_uuid, kind, is_group, provider_uuid)
);
CREATE INDEX compliance_profile_provider_rule_by_connector ON compliance_profile_provider_rule (connector_uuid);

-- What a profile applies to: objects of these RA profiles and token profiles.
CREATE TABLE compliance_association (
  profile_uuid uuid NOT NULL REFERENCES compliance_profile (uuid) ON DELETE CASCADE,
  ra_profile_uuid uuid REFERENCES ra_profile (uuid) ON DELETE CASCADE,
  token_profile_uuid uuid REFERENCES token_profile (uuid) ON DELETE CASCADE,
  CHECK (num_nonnulls(ra_profile_uuid, token_profile_uuid) = 1),
  CONSTRAINT compliance_association_key UNIQUE NULLS NOT DISTINCT (profile_uuid, ra_profile_uuid, token_profile_uuid)
);
CREATE INDEX compliance_association_by_ra_profile ON compliance_association (ra_profile_uuid);
CREATE INDEX compliance_association_by_token_profile ON compliance_association (token_profile_uuid);

-- The last check of an object. `rules` are those that are not ok.
CREATE TABLE compliance_result (
  uuid uuid PRIMARY KEY,
  certificate_uuid uuid CONSTRAINT compliance_result_certificate_key UNIQUE
    REFERENCES certificate (uuid) ON DELETE CASCADE,
  request_uuid uuid CONSTRAINT compliance_result_request_key UNIQUE
    REFERENCES certificate_request (uuid) ON DELETE CASCADE,
  key_item_uuid uuid CONSTRAINT compliance_result_key_item_key UNIQUE
    REFERENCES key_item (uuid) ON DELETE CASCADE,
  checked_at timestamptz NOT NULL,
  status text NOT NULL,
  message text,
  rules jsonb NOT NULL,
  CHECK (num_nonnulls(certificate_uuid, request_uuid, key_item_uuid) = 1)
);

-- Checks of many objects. `scope` says which; `cursor` is the last object that was looked at. A node works on a run
-- while its lease lasts.
CREATE TABLE compliance_run (
  uuid uuid PRIMARY KEY,
  subject text NOT NULL,
  scope jsonb NOT NULL,
  started_at timestamptz NOT NULL,
  started_by text NOT NULL,
  total bigint NOT NULL,
  processed bigint NOT NULL DEFAULT 0,
  cursor uuid,
  leased_by uuid,
  leased_until timestamptz,
  finished_at timestamptz
) WITH (fillfactor = 50);
CREATE INDEX compliance_run_open ON compliance_run (started_at) WHERE finished_at IS NULL;

ALTER TABLE certificate_request ADD COLUMN compliance_status text NOT NULL DEFAULT 'not_checked';
ALTER TABLE key_item ADD COLUMN compliance_status text NOT NULL DEFAULT 'not_checked';
