-- Serial numbers in their order as numbers: hexadecimal without leading zeros, the shorter ones are the smaller ones.
-- Whoever looks for one also gives its length.
DROP INDEX certificate_by_serial;
CREATE INDEX certificate_by_serial ON certificate (length(serial_number), serial_number, uuid) INCLUDE (archived)
  WHERE serial_number IS NOT NULL;

-- With the RA profile: certificates that an owner sees besides those of their RA profiles are counted from the index alone.
DROP INDEX certificate_by_owner;
CREATE INDEX certificate_by_owner ON certificate (owner_uuid, uuid) INCLUDE (archived, ra_profile_uuid) WHERE owner_uuid IS NOT NULL;

-- Members of a group in the order of lists.
DROP INDEX group_membership_by_group;
CREATE INDEX group_membership_by_group ON group_membership (group_uuid, object_resource, object_uuid);
