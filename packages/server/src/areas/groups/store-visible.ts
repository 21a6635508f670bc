// Visibility of objects that have an owner and groups, as an SQL condition. If the caller's access to containers is not
// restricted, no condition is needed, because ownership and groups would add nothing.
import type { Resource } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { showsAny } from '../../kernel/actor.ts';
import type { VisibleObjects } from '../../kernel/visible-objects.ts';
import { isShown } from '../../platform/database/object-filter.ts';

type Condition = RawBuilder<SqlBool>;
type Column = RawBuilder<unknown>;

/** Columns of the row to be checked. */
export interface BelongingColumns {
  readonly resource: Resource;
  readonly uuid: Column;
  readonly container: Column;
  readonly owner: Column;
}

/** Each way to gain access to an object is an OR branch with an index; branches that match nothing are omitted. */
export function isVisibleObject(columns: BelongingColumns, visible: VisibleObjects): Condition {
  const { containers, ownerUuid, groups } = visible;
  const arms: Condition[] = [];
  if (showsAny(containers)) arms.push(isShown(columns.container, containers));
  if (ownerUuid !== null) arms.push(sql`${columns.owner} = ${ownerUuid}::uuid`);
  if (showsAny(groups)) arms.push(isInGroups(columns, visible));
  if (arms.length === 0) return sql`false`;
  return sql`(${sql.join(arms, sql` OR `)})`;
}

/** Finds the members of the groups first and looks them up by key, instead of checking every object. */
function isInGroups({ resource, uuid }: BelongingColumns, { groups, deniedGroups }: VisibleObjects): Condition {
  const members = (condition: Condition): Condition =>
    sql`${uuid} = ANY(ARRAY(SELECT m.object_uuid FROM group_membership m
      WHERE m.object_resource = ${sql.lit(resource)} AND ${condition}))`;
  const shown = members(isShown(sql`m.group_uuid`, groups));
  if (deniedGroups.length === 0) return shown;
  return sql`(${shown} AND NOT ${members(sql`m.group_uuid = ANY(${deniedGroups}::uuid[])`)})`;
}
