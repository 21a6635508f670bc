-- Claims of identity providers assign only the roles that the settings of the provider list. Providers that are there
-- already go on assigning what they could assign so far.
UPDATE oauth2_provider SET provisioning = (provisioning - 'allowSystemRoles') || jsonb_build_object('grantedRoleUuids', (
  SELECT coalesce(jsonb_agg(r.uuid ORDER BY r.name), '[]') FROM role r
  WHERE coalesce((provisioning ->> 'allowSystemRoles')::boolean, false)
    OR (NOT r.is_system AND NOT EXISTS (
      SELECT FROM role_permission p WHERE p.role_uuid = r.uuid AND p.resource IS NULL AND p.action IS NULL))))
WHERE provisioning IS NOT NULL;
