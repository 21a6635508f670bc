-- The state as it is shown: filters, sorting and counts need it in an index.
ALTER TABLE certificate ADD COLUMN shown_state text NOT NULL
  GENERATED ALWAYS AS (CASE WHEN state = 'issued' AND revocation_awaits_approval THEN 'pending_approval' ELSE state END) STORED;

-- Pages in the order of a column, and exact counts of what a filter finds, are read from these alone. The identifier tells
-- equal values apart and is the order of lists without another one. What else such counts look at is included.
DROP INDEX certificate_listed;
CREATE INDEX certificate_listed ON certificate (uuid) INCLUDE (common_name) WHERE NOT archived;
CREATE INDEX certificate_by_name ON certificate (lower(common_name COLLATE "C"), uuid) WHERE NOT archived AND common_name <> '';
DROP INDEX certificate_by_expiry;
CREATE INDEX certificate_by_expiry ON certificate (not_after, uuid) INCLUDE (shown_state) WHERE NOT archived AND not_after IS NOT NULL;
CREATE INDEX certificate_by_beginning ON certificate (not_before, uuid) WHERE NOT archived AND not_before IS NOT NULL;
CREATE INDEX certificate_by_issuer ON certificate (lower(issuer_common_name COLLATE "C"), uuid)
  INCLUDE (issuer_common_name, shown_state) WHERE NOT archived AND issuer_common_name <> '';
CREATE INDEX certificate_by_state ON certificate (shown_state, uuid) WHERE NOT archived;
CREATE INDEX certificate_by_validation_status ON certificate (validation_status, uuid) WHERE NOT archived;
CREATE INDEX certificate_by_key ON certificate (key_size, uuid) INCLUDE (public_key_algorithm) WHERE NOT archived;
DROP INDEX certificate_by_ra_profile;
CREATE INDEX certificate_by_ra_profile ON certificate (ra_profile_uuid, uuid) INCLUDE (archived, shown_state);
DROP INDEX certificate_by_owner;
CREATE INDEX certificate_by_owner ON certificate (owner_uuid, uuid) INCLUDE (archived) WHERE owner_uuid IS NOT NULL;
CREATE INDEX certificate_by_owner_name ON certificate (owner_username, uuid) WHERE NOT archived AND owner_username IS NOT NULL;

-- Moves whenever certificates or their memberships change, before the change is committed, and not back with it: a total
-- that was counted while nobody wrote is still right when this has not moved.
CREATE SEQUENCE inventory_change;

CREATE FUNCTION note_inventory_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('inventory_change');
  RETURN NULL;
END $$;

CREATE TRIGGER certificate_changed AFTER INSERT OR UPDATE OR DELETE ON certificate
  FOR EACH STATEMENT EXECUTE FUNCTION note_inventory_change();
CREATE TRIGGER group_membership_changed AFTER INSERT OR UPDATE OR DELETE ON group_membership
  FOR EACH STATEMENT EXECUTE FUNCTION note_inventory_change();
