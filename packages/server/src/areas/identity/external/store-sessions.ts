// Queries for sign-ins that have been started at providers, and for the tokens behind sessions.
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables, ProviderSessionRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export type PendingSignIn = IdentityTables['provider_sign_in'];

export async function insertSignIn(executor: Executor, row: PendingSignIn): Promise<void> {
  await tables(executor).insertInto('provider_sign_in').values(row).execute();
}

/** Consumes the sign-in. If multiple callers do so concurrently, only one of them receives it. */
export const claimSignIn = (executor: Executor, tokenSha256: Uint8Array): Promise<PendingSignIn | undefined> =>
  tables(executor)
    .deleteFrom('provider_sign_in')
    .where('token_sha256', '=', tokenSha256)
    .returningAll()
    .executeTakeFirst();

export async function removeExpiredSignIns(executor: Executor, now: Date): Promise<number> {
  const result = await tables(executor)
    .deleteFrom('provider_sign_in')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function insertSession(tx: Executor, row: ProviderSessionRow): Promise<void> {
  await tables(tx).insertInto('provider_session').values(row).execute();
}

export const findSession = (executor: Executor, sha256: Uint8Array): Promise<ProviderSessionRow | undefined> =>
  tables(executor).selectFrom('provider_session').selectAll().where('session_sha256', '=', sha256).executeTakeFirst();

export const claimSession = (tx: Executor, sha256: Uint8Array): Promise<ProviderSessionRow | undefined> =>
  tables(tx).deleteFrom('provider_session').where('session_sha256', '=', sha256).returningAll().executeTakeFirst();

export async function hasSessions(executor: Executor, userUuid: string): Promise<boolean> {
  const row = await tables(executor)
    .selectFrom('provider_session')
    .select('uuid')
    .where('user_uuid', '=', userUuid)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the current row to the one caller that may renew its tokens until `until`; undefined for all others. */
export const claimRenewal = (
  executor: Executor,
  uuid: string,
  { now, until, dueAt }: { readonly now: Date; readonly until: Date; readonly dueAt: Date },
): Promise<ProviderSessionRow | undefined> =>
  tables(executor)
    .updateTable('provider_session')
    .set({ renewing_until: until })
    .where('uuid', '=', uuid)
    .where('access_expires_at', '<=', dueAt)
    .where((eb) => eb.or([eb('renewing_until', 'is', null), eb('renewing_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();

/** Postpones the next renewal of the tokens until `until`. */
export async function postponeRenewal(executor: Executor, uuid: string, until: Date): Promise<void> {
  await tables(executor)
    .updateTable('provider_session')
    .set({ renewing_until: until })
    .where('uuid', '=', uuid)
    .execute();
}

export async function saveTokens(
  executor: Executor,
  uuid: string,
  tokens: Pick<ProviderSessionRow, 'sealed_tokens' | 'access_expires_at'>,
): Promise<void> {
  await tables(executor)
    .updateTable('provider_session')
    .set({ ...tokens, renewing_until: null })
    .where('uuid', '=', uuid)
    .execute();
}

/**
 * Removes and returns the rows whose session on this platform has ended, and whether each row's user can no longer sign
 * in.
 */
export async function claimEndedSessions(
  tx: Executor,
): Promise<readonly (ProviderSessionRow & { readonly userIsOut: boolean })[]> {
  const rows = await tables(tx)
    .deleteFrom('provider_session')
    .where('session_sha256', 'is', null)
    .returningAll()
    .returning((eb) =>
      eb
        .not(
          eb.exists(
            eb
              .selectFrom('platform_user as u')
              .select('u.uuid')
              .whereRef('u.uuid', '=', 'provider_session.user_uuid')
              .where('u.enabled', '=', true),
          ),
        )
        .as('userIsOut'),
    )
    .execute();
  return rows.map((row) => ({ ...row, userIsOut: Boolean(row.userIsOut) }));
}
