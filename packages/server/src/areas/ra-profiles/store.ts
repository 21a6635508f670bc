// Queries for RA profiles.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects, type FindNames } from '../../platform/objects/named-objects.ts';
import type { RaProfileRow, RaProfileTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RaProfileTables>();

export const raProfiles = namedObjects<RaProfileRow>({ what: 'RA profile', table: 'ra_profile' });

/** Returns the names of profiles that are available to callers. */
export const findOfferedNames: FindNames = async (executor, uuids) => {
  const rows = uuids === undefined ? await raProfiles.findAll(executor) : await raProfiles.findMany(executor, uuids);
  return rows.filter(({ internal }) => !internal).map(({ uuid, name }) => ({ uuid, name }));
};

/**
 * Returns the names of an authority's profiles that are available to callers. Internal profiles are not included,
 * because they are removed along with the authority.
 */
export const findOfferedByAuthority = async (executor: Executor, authorityUuid: string): Promise<string[]> =>
  (await findByAuthority(executor, authorityUuid))
    .filter(({ internal }) => !internal)
    .map(({ name }) => name)
    .toSorted();

/** Returns an authority's profiles: enabled profiles before disabled ones, each oldest first. */
export const findByAuthority = (executor: Executor, authorityUuid: string): Promise<RaProfileRow[]> =>
  tables(executor)
    .selectFrom('ra_profile')
    .selectAll()
    .where('authority_uuid', '=', authorityUuid)
    .orderBy('enabled', 'desc')
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();

/** Returns the RA profiles that use any of these approval profiles. */
export const findByApprovalProfiles = (executor: Executor, approvalProfileUuids: readonly string[]) =>
  tables(executor)
    .selectFrom('ra_profile')
    .select(['uuid', 'name', 'approval_profile_uuid as profileUuid'])
    .where('approval_profile_uuid', '=', sql<string>`ANY(${approvalProfileUuids}::uuid[])`)
    .$narrowType<{ profileUuid: string }>()
    .orderBy('name')
    .execute();

/** Returns the profile if it exists, and locks it until the transaction ends. */
export const hold = (tx: Executor, uuid: string): Promise<Pick<RaProfileRow, 'name' | 'internal'> | undefined> =>
  tables(tx)
    .selectFrom('ra_profile')
    .select(['name', 'internal'])
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
