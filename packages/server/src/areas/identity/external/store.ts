// Queries for external identities.
import type { Executor } from '../../../platform/database/database.ts';
import type { ExternalIdentityRow, IdentityTables, RoleRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

export const findIdentity = (
  executor: Executor,
  { issuer, subject }: Subject,
): Promise<ExternalIdentityRow | undefined> =>
  tables(executor)
    .selectFrom('external_identity')
    .selectAll()
    .where('issuer_url', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();

/** Returns a user's identities, oldest first. */
export const identitiesOf = (executor: Executor, userUuid: string): Promise<ExternalIdentityRow[]> =>
  tables(executor)
    .selectFrom('external_identity')
    .selectAll()
    .where('user_uuid', '=', userUuid)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();

export async function insertIdentity(tx: Executor, row: ExternalIdentityRow): Promise<void> {
  await tables(tx).insertInto('external_identity').values(row).execute();
}

/** Returns the removed row. */
export const removeIdentity = (
  tx: Executor,
  { userUuid, uuid }: { readonly userUuid: string; readonly uuid: string },
): Promise<ExternalIdentityRow | undefined> =>
  tables(tx)
    .deleteFrom('external_identity')
    .where('uuid', '=', uuid)
    .where('user_uuid', '=', userUuid)
    .returningAll()
    .executeTakeFirst();

export async function findRolesByName(executor: Executor, names: readonly string[]): Promise<RoleRow[]> {
  if (names.length === 0) return [];
  return tables(executor).selectFrom('role').selectAll().where('name', 'in', names).execute();
}
