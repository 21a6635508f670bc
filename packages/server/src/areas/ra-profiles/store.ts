// Queries of RA profiles.
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
