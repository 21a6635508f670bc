// Queries for notification instances and profiles.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { InstanceRow, NotificationTables, ProfileRow, VersionRow } from './tables.ts';

export const tables = (executor: Executor) => executor.withTables<NotificationTables>();

export const instances = namedObjects<InstanceRow>({ what: 'Notification instance', table: 'notification_instance' });
export const profiles = namedObjects<ProfileRow>({ what: 'Notification profile', table: 'notification_profile' });

/** Serializes a value for its jsonb column. */
// A jsonb column accepts JSON text.
export const toJson = <Value>(value: Value): Value => JSON.stringify(value) as never;

/**
 * Returns the names of profiles that have a version that uses the instance. This includes old versions, because pending
 * notifications continue to use them.
 */
export async function findProfilesOfInstance(executor: Executor, instanceUuid: string): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('notification_profile as p')
    .select('p.name')
    .where('p.uuid', 'in', (eb) =>
      eb.selectFrom('notification_profile_version').select('profile_uuid').where('instance_uuid', '=', instanceUuid),
    )
    .orderBy('p.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Prevents the instance from being removed. Returns undefined if it has been removed or is being removed. */
export const holdInstance = (tx: Executor, uuid: string): Promise<InstanceRow | undefined> =>
  tables(tx)
    .selectFrom('notification_instance')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('removing', '=', false)
    .forShare()
    .executeTakeFirst();

/** Profile version with the fields that all versions share. */
export type ShownProfile = VersionRow &
  Pick<ProfileRow, 'uuid' | 'name' | 'description'> & { readonly instance_name: string | null };

const shownProfiles = (executor: Executor) =>
  tables(executor)
    .selectFrom('notification_profile as p')
    .innerJoin('notification_profile_version as v', 'v.profile_uuid', 'p.uuid')
    .leftJoin('notification_instance as i', 'i.uuid', 'v.instance_uuid')
    .selectAll('v')
    .select(['p.uuid', 'p.name', 'p.description', 'i.name as instance_name']);

/** Returns one page of the latest versions, sorted by name. */
export async function findProfilePage(
  executor: Executor,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: ShownProfile[]; readonly total: number }> {
  const items = await shownProfiles(executor)
    .whereRef('v.version', '=', 'p.latest_version')
    .orderBy('p.name')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await tables(executor)
    .selectFrom('notification_profile as p')
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  return { items, total };
}

/** Returns the latest versions of existing profiles. */
export const findLatestVersions = (executor: Executor, uuids: readonly string[]): Promise<ShownProfile[]> =>
  shownProfiles(executor)
    .whereRef('v.version', '=', 'p.latest_version')
    .where('p.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('p.name')
    .execute();

/** Returns the specified version of a profile, or the latest version. */
export const findVersion = (
  executor: Executor,
  uuid: string,
  version: number | undefined,
): Promise<ShownProfile | undefined> => {
  const query = shownProfiles(executor).where('p.uuid', '=', uuid);
  const narrowed =
    version === undefined
      ? query.whereRef('v.version', '=', 'p.latest_version')
      : query.where('v.version', '=', version);
  return narrowed.executeTakeFirst();
};

export async function insertVersion(tx: Executor, row: VersionRow): Promise<void> {
  await tables(tx).insertInto('notification_profile_version').values(row).execute();
}
