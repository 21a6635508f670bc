// Queries of groups and memberships.
import type { Resource } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { GroupRow, GroupTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<GroupTables>();

export const findAll = (executor: Executor): Promise<GroupRow[]> =>
  tables(executor).selectFrom('object_group').selectAll().orderBy('name').orderBy('uuid').execute();

export const findOne = (executor: Executor, uuid: string): Promise<GroupRow | undefined> =>
  tables(executor).selectFrom('object_group').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findMany = (executor: Executor, uuids: readonly string[]): Promise<GroupRow[]> =>
  tables(executor).selectFrom('object_group').selectAll().where('uuid', 'in', uuids).orderBy('name').execute();

export async function insert(executor: Executor, row: GroupRow): Promise<void> {
  await tables(executor).insertInto('object_group').values(row).execute();
}

/** Answers false when the group is gone. */
export async function update(executor: Executor, row: Omit<GroupRow, 'created_at'>): Promise<boolean> {
  const { uuid, ...changes } = row;
  const result = await tables(executor)
    .updateTable('object_group')
    .set(changes)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes groups with their memberships; answers the rows that were there. */
export async function remove(tx: Executor, uuids: readonly string[]): Promise<GroupRow[]> {
  // Whoever changes a certificate and its groups holds the certificate first; the other way round two would wait for each other.
  await sql`SELECT lock_group_members(${uuids}::uuid[])`.execute(tx);
  return tables(tx).deleteFrom('object_group').where('uuid', 'in', uuids).returningAll().execute();
}

export interface Member {
  readonly resource: Resource;
  readonly uuid: string;
}

export async function replaceMemberships(
  executor: Executor,
  member: Member,
  groupUuids: readonly string[],
): Promise<void> {
  const query = tables(executor);
  await query
    .deleteFrom('group_membership')
    .where('object_resource', '=', member.resource)
    .where('object_uuid', '=', member.uuid)
    .execute();
  if (groupUuids.length === 0) return;
  const rows = groupUuids.map((group_uuid) => ({
    object_resource: member.resource,
    object_uuid: member.uuid,
    group_uuid,
  }));
  await query.insertInto('group_membership').values(rows).execute();
}

/** Groups of many objects of one resource, as pairs. */
export const findMemberships = (executor: Executor, resource: Resource, objectUuids: readonly string[]) =>
  tables(executor)
    .selectFrom('group_membership as m')
    .innerJoin('object_group as g', 'g.uuid', 'm.group_uuid')
    .selectAll('g')
    .select('m.object_uuid')
    .where('m.object_resource', '=', resource)
    .where('m.object_uuid', 'in', objectUuids)
    .orderBy('g.name')
    .execute();
