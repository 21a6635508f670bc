-- Object identifiers that administrators give names. Codes are those of attribute types of distinguished names. No two
-- entries share one, in whatever case: whoever writes an entry holds the table and looks first, because a code and the
-- further codes of another entry share one space that no index can cover.
CREATE TABLE oid_entry (
  oid text PRIMARY KEY,
  display_name text NOT NULL,
  description text,
  category text NOT NULL,
  code text,
  alt_codes text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((category = 'rdnAttributeType') = (code IS NOT NULL))
);
