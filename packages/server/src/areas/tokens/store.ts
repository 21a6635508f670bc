// Queries for tokens and token profiles.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { TokenProfileRow, TokenRow, TokenTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<TokenTables>();

export const tokens = namedObjects<TokenRow>({ what: 'Token', table: 'token' });
export const tokenProfiles = namedObjects<TokenProfileRow>({ what: 'Token profile', table: 'token_profile' });

/** Locks the row so that it cannot be removed. The lock is shared. */
export const holdForUse = (tx: Executor, uuid: string): Promise<TokenRow | undefined> =>
  tables(tx).selectFrom('token').selectAll().where('uuid', '=', uuid).forShare().executeTakeFirst();

/** Returns the number of profiles for each token that has at least one. */
export async function countProfiles(
  executor: Executor,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tables(executor)
    .selectFrom('token_profile')
    .select(['token_uuid', sql<number>`count(*)::int`.as('profiles')])
    .where('token_uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .groupBy('token_uuid')
    .execute();
  return new Map(rows.map(({ token_uuid: uuid, profiles }) => [uuid, profiles]));
}
