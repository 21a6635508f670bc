// Filter fields for keys. `i` is the item and `k` is its key. Both have names, and a name filter matches either one.
import { keyUsageBit } from '@signetry/contract';
import { sql } from 'kysely';
import { bits, column, reference, related } from '../../platform/database/filter/reading.ts';
import { evaluatedObjects } from '../../platform/database/filter/read-values.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

export const keyFields = sqlFields('keys', {
  CKI_NAME: related({
    from: sql`(VALUES (i.name), (k.name)) AS named (name)`,
    where: sql`true`,
    value: 'named.name',
  }),
  CKI_TYPE: column('i.type'),
  CKI_FORMAT: column('i.format'),
  CKI_STATE: column('i.state'),
  CKI_CRYPTOGRAPHIC_ALGORITHM: column('i.algorithm'),
  CKI_USAGE: bits('i.usages', keyUsageBit),
  CKI_LENGTH: column('i.length', { valueType: 'number' }),
  CK_TOKEN_PROFILE: reference({ column: 'k.token_profile_uuid', table: 'token_profile' }),
  CK_TOKEN_INSTANCE: reference({ column: 'k.token_uuid', table: 'token' }),
  CK_GROUP: related({
    from: sql`group_membership m JOIN object_group g ON g.uuid = m.group_uuid`,
    where: sql`m.object_resource = 'keys' AND m.object_uuid = k.uuid`,
    value: 'g.name',
  }),
  CK_OWNER: column('k.owner_username'),
});

/** Key items as rule conditions see them. */
export const evaluatedKeys = evaluatedObjects(keyFields.lookup, {
  from: sql`key_item AS i JOIN key AS k ON k.uuid = i.key_uuid`,
  key: sql`i.uuid`,
  name: sql`i.name`,
});
