// What a caller sees of keys, as a condition on `key as k`.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited, showsAny, type ObjectFilter } from '../../kernel/actor.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import type { KeyFilter } from './access.ts';

type Condition = RawBuilder<SqlBool>;

/** Without anything that limits the tokens there is no condition. */
export function isVisibleKey(filter: KeyFilter): Condition {
  if (isUnlimited(filter.tokens)) return sql`true`;
  const arms: Condition[] = [];
  if (showsAny(filter.tokens)) arms.push(isShown(sql`k.token_uuid`, filter.tokens));
  if (filter.ownerUuid !== null) arms.push(sql`k.owner_uuid = ${filter.ownerUuid}::uuid`);
  if (showsAny(filter.groups)) arms.push(isInGroups(filter));
  return arms.length === 0 ? sql`false` : sql`(${sql.join(arms, sql` OR `)})`;
}

const NONE: ObjectFilter = { kind: 'only', uuids: new Set() };

/** The same without what is seen by groups only. */
export const withoutGroups = (filter: KeyFilter): KeyFilter => ({ ...filter, groups: NONE });

export function isInGroups({ groups, deniedGroups }: KeyFilter): Condition {
  const members = (condition: Condition): Condition =>
    sql`k.uuid = ANY(ARRAY(SELECT m.object_uuid FROM group_membership m
      WHERE m.object_resource = 'keys' AND ${condition}))`;
  const shown = members(isShown(sql`m.group_uuid`, groups));
  if (deniedGroups.length === 0) return shown;
  return sql`(${shown} AND NOT ${members(sql`m.group_uuid = ANY(${deniedGroups}::uuid[])`)})`;
}
