// Queries for invitations.
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables, InvitationRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

/** Inserts an invitation, which replaces the user's previous one. */
export async function replace(tx: Executor, row: InvitationRow): Promise<void> {
  await tables(tx).deleteFrom('invitation').where('user_uuid', '=', row.user_uuid).execute();
  await tables(tx).insertInto('invitation').values(row).execute();
}

export const findByUser = (executor: Executor, userUuid: string, now: Date): Promise<InvitationRow[]> =>
  tables(executor)
    .selectFrom('invitation')
    .selectAll()
    .where('user_uuid', '=', userUuid)
    .where('expires_at', '>', now)
    .execute();

export interface InvitationQuery {
  readonly tokenSha256: Uint8Array;
  readonly now: Date;
}

export const find = (executor: Executor, { tokenSha256, now }: InvitationQuery): Promise<InvitationRow | undefined> =>
  tables(executor)
    .selectFrom('invitation')
    .selectAll()
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Consumes the invitation. If multiple callers do so concurrently, only one of them receives it. */
export const claim = (tx: Executor, { tokenSha256, now }: InvitationQuery): Promise<InvitationRow | undefined> =>
  tables(tx)
    .deleteFrom('invitation')
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

export const remove = (
  tx: Executor,
  { userUuid, uuid }: { readonly userUuid: string; readonly uuid: string },
): Promise<InvitationRow | undefined> =>
  tables(tx)
    .deleteFrom('invitation')
    .where('uuid', '=', uuid)
    .where('user_uuid', '=', userUuid)
    .returningAll()
    .executeTakeFirst();
