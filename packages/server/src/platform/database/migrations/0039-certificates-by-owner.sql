-- Owners see what is theirs, whatever else they may see: their certificates are found by this index, most have no owner.
CREATE INDEX certificate_by_owner ON certificate (owner_uuid) WHERE owner_uuid IS NOT NULL;
