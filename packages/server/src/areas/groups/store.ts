// Queries for groups and memberships.
import type { Resource } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { GroupRow, GroupTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<GroupTables>();

export const groups = namedObjects<GroupRow>({ what: 'Group', table: 'object_group' });

/** Removes groups with their memberships; returns the removed rows. */
export async function removeWithMemberships(tx: Executor, uuids: readonly string[]): Promise<GroupRow[]> {
  // Changes to a certificate and its groups lock the certificate first; the opposite order would deadlock.
  await sql`SELECT lock_group_members(${uuids}::uuid[])`.execute(tx);
  return groups.removeMany(tx, uuids);
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

/** Replaces the groups of all these objects of one resource. */
export async function replaceMembershipsOfMany(
  executor: Executor,
  resource: Resource,
  objectUuids: readonly string[],
  groupUuids: readonly string[],
): Promise<void> {
  await sql`DELETE FROM group_membership
    WHERE object_resource = ${resource} AND object_uuid = ANY(${objectUuids}::uuid[])`.execute(executor);
  await sql`INSERT INTO group_membership (object_resource, object_uuid, group_uuid)
    SELECT ${resource}, o, g FROM unnest(${objectUuids}::uuid[]) AS o CROSS JOIN unnest(${groupUuids}::uuid[]) AS g`.execute(
    executor,
  );
}

/** Returns the identifiers of those group members that belong to one resource. */
export async function findMembers(executor: Executor, resource: Resource, groupUuid: string): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('group_membership')
    .select('object_uuid')
    .where('group_uuid', '=', groupUuid)
    .where('object_resource', '=', resource)
    .execute();
  return rows.map(({ object_uuid }) => object_uuid);
}

/** Returns the groups of many objects of one resource, as pairs of object and group. */
export const findMemberships = (executor: Executor, resource: Resource, objectUuids: readonly string[]) =>
  tables(executor)
    .selectFrom('group_membership as m')
    .innerJoin('object_group as g', 'g.uuid', 'm.group_uuid')
    .selectAll('g')
    .select('m.object_uuid')
    .where('m.object_resource', '=', resource)
    .where('m.object_uuid', '=', sql<string>`ANY(${objectUuids}::uuid[])`)
    .orderBy('g.name')
    .execute();
