-- Whether a private key can be exported is decided when the key is created and never changed afterwards. Existing keys
-- are not exportable.
ALTER TABLE key ADD COLUMN exportable boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN key.exportable IS 'Specified when the key is created; never changed';

-- Files and secrets in the attributes of a key served only to create it. Files of imported keys were stored as they were
-- received, which may have been unencrypted.
DELETE FROM attribute_value v USING attribute_definition d
WHERE v.definition_uuid = d.uuid AND v.object_resource = 'keys' AND d.type = 'data'
  AND d.content_type IN ('file', 'secret');
