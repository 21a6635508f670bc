// What a caller may see of the inventory, as a condition of SQL on `certificate as c`. Without anything that limits the
// RA profiles there is no condition: owners and groups add nothing then.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { showsAny } from '../../../kernel/actor.ts';
import { isShown } from '../../../platform/database/object-filter.ts';
import type { CertificateFilter } from './access.ts';

type Condition = RawBuilder<SqlBool>;

/** Each way to see a certificate is an arm that has an index; what shows nothing is left out. */
export function isVisibleCertificate(filter: CertificateFilter): Condition {
  const arms: Condition[] = [];
  if (showsAny(filter.raProfiles)) arms.push(isShown(sql`c.ra_profile_uuid`, filter.raProfiles));
  if (filter.ownerUuid !== null) arms.push(sql`c.owner_uuid = ${filter.ownerUuid}::uuid`);
  if (showsAny(filter.groups)) arms.push(isInGroups(filter));
  if (arms.length === 0) return sql`false`;
  return sql`(${sql.join(arms, sql` OR `)})`;
}

/** The members of the groups are found first and looked up by their keys, not asked for of every certificate. */
function isInGroups({ groups, deniedGroups }: CertificateFilter): Condition {
  const members = (condition: Condition): Condition =>
    sql`c.uuid = ANY(ARRAY(SELECT m.object_uuid FROM group_membership m
      WHERE m.object_resource = 'certificates' AND ${condition}))`;
  const shown = members(isShown(sql`m.group_uuid`, groups));
  if (deniedGroups.length === 0) return shown;
  return sql`(${shown} AND NOT ${members(sql`m.group_uuid = ANY(${deniedGroups}::uuid[])`)})`;
}
