// Queries of RA profiles.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { RaProfileRow, RaProfileTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RaProfileTables>();

export const raProfiles = namedObjects<RaProfileRow>({ what: 'RA profile', table: 'ra_profile' });

/** Profiles of an authority, enabled ones first, the oldest of them first. */
export const findOfAuthority = (executor: Executor, authorityUuid: string): Promise<RaProfileRow[]> =>
  tables(executor)
    .selectFrom('ra_profile')
    .selectAll()
    .where('authority_uuid', '=', authorityUuid)
    .orderBy('enabled', 'desc')
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();

/** RA profiles that use one of these approval profiles. */
export const findByApprovalProfiles = (executor: Executor, approvalProfileUuids: readonly string[]) =>
  tables(executor)
    .selectFrom('ra_profile')
    .select(['uuid', 'name', 'approval_profile_uuid as profileUuid'])
    .where('approval_profile_uuid', '=', sql<string>`ANY(${approvalProfileUuids}::uuid[])`)
    .$narrowType<{ profileUuid: string }>()
    .orderBy('name')
    .execute();

/** Returns whether the profile is there; then it is until the transaction ends, and nobody else holds it. */
export const hold = async (tx: Executor, uuid: string): Promise<boolean> => {
  const row = await tables(tx)
    .selectFrom('ra_profile')
    .select('uuid')
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
};
