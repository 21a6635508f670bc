// What a caller sees of objects that have an owner and groups, as a condition of SQL. Without anything that limits the
// containers there need be no condition: owners and groups add nothing then.
import type { Resource } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { showsAny } from '../../kernel/actor.ts';
import type { VisibleObjects } from '../../kernel/visible-objects.ts';
import { isShown } from '../../platform/database/object-filter.ts';

type Condition = RawBuilder<SqlBool>;
type Column = RawBuilder<unknown>;

/** Columns of the row that is judged. */
export interface BelongingColumns {
  readonly resource: Resource;
  readonly uuid: Column;
  readonly container: Column;
  readonly owner: Column;
}

/** Each way to see an object is an arm that has an index; what shows nothing is left out. */
export function isVisibleObject(columns: BelongingColumns, visible: VisibleObjects): Condition {
  const { containers, ownerUuid, groups } = visible;
  const arms: Condition[] = [];
  if (showsAny(containers)) arms.push(isShown(columns.container, containers));
  if (ownerUuid !== null) arms.push(sql`${columns.owner} = ${ownerUuid}::uuid`);
  if (showsAny(groups)) arms.push(isInGroups(columns, visible));
  if (arms.length === 0) return sql`false`;
  return sql`(${sql.join(arms, sql` OR `)})`;
}

/** The members of the groups are found first and looked up by their keys, not asked for of every object. */
function isInGroups({ resource, uuid }: BelongingColumns, { groups, deniedGroups }: VisibleObjects): Condition {
  const members = (condition: Condition): Condition =>
    sql`${uuid} = ANY(ARRAY(SELECT m.object_uuid FROM group_membership m
      WHERE m.object_resource = ${sql.lit(resource)} AND ${condition}))`;
  const shown = members(isShown(sql`m.group_uuid`, groups));
  if (deniedGroups.length === 0) return shown;
  return sql`(${shown} AND NOT ${members(sql`m.group_uuid = ANY(${deniedGroups}::uuid[])`)})`;
}
