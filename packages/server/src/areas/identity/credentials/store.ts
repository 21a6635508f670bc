// Queries for sessions, sign-in links and access tokens.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTokenRow, IdentityTables, SessionRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export async function insertSession(executor: Executor, row: SessionRow): Promise<void> {
  await tables(executor).insertInto('session').values(row).execute();
}

export const findSession = (executor: Executor, tokenSha256: Uint8Array): Promise<SessionRow | undefined> =>
  tables(executor).selectFrom('session').selectAll().where('token_sha256', '=', tokenSha256).executeTakeFirst();

export async function touchSession(executor: Executor, tokenSha256: Uint8Array, seenAt: Date): Promise<void> {
  await tables(executor)
    .updateTable('session')
    .set({ last_seen_at: seenAt })
    .where('token_sha256', '=', tokenSha256)
    .where('last_seen_at', '<', seenAt)
    .execute();
}

/** Returns the UUID of the session's user, or undefined if the session no longer exists. */
export async function deleteSession(executor: Executor, tokenSha256: Uint8Array): Promise<string | undefined> {
  const row = await tables(executor)
    .deleteFrom('session')
    .where('token_sha256', '=', tokenSha256)
    .returning('user_uuid')
    .executeTakeFirst();
  return row?.user_uuid;
}

/**
 * Whether a session has been idle for too long. The session's own idle timeout takes precedence over the default
 * timeout, which began at `idleSince`.
 */
const isIdle = ({ now, idleSince }: IdleFacts) => sql<boolean>`
  last_seen_at <= CASE WHEN idle_s IS NULL THEN ${idleSince}::timestamptz ELSE ${now}::timestamptz - idle_s * interval '1 second' END`;

interface IdleFacts {
  readonly now: Date;
  readonly idleSince: Date;
}

/** Returns a user's active sessions, most recently used first. */
export const sessionsOf = (
  executor: Executor,
  { userUuid, ...times }: IdleFacts & { readonly userUuid: string },
): Promise<SessionRow[]> =>
  tables(executor)
    .selectFrom('session')
    .selectAll()
    .where('user_uuid', '=', userUuid)
    .where('expires_at', '>', times.now)
    .where(({ not }) => not(isIdle(times)))
    .orderBy('last_seen_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();

/** Ends one of a user's sessions; returns whether it existed. */
export async function deleteSessionOf(
  tx: Executor,
  { userUuid, uuid }: { readonly userUuid: string; readonly uuid: string },
): Promise<boolean> {
  const { numDeletedRows } = await tables(tx)
    .deleteFrom('session')
    .where('user_uuid', '=', userUuid)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all of a user's sessions except one; returns the number of sessions ended. */
export async function deleteOtherSessions(
  tx: Executor,
  { userUuid, keptUuid }: { readonly userUuid: string; readonly keptUuid: string | undefined },
): Promise<number> {
  const { numDeletedRows } = await tables(tx)
    .deleteFrom('session')
    .where('user_uuid', '=', userUuid)
    .$if(keptUuid !== undefined, (query) => query.where('uuid', '!=', keptUuid ?? ''))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export interface SignInLinkRow {
  readonly token_sha256: Uint8Array;
  readonly user_uuid: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export async function insertSignInLink(executor: Executor, row: SignInLinkRow): Promise<void> {
  await tables(executor).insertInto('sign_in_link').values(row).execute();
}

export interface LinkQuery {
  readonly tokenSha256: Uint8Array;
  readonly now: Date;
}

export async function hasSignInLink(executor: Executor, { tokenSha256, now }: LinkQuery): Promise<boolean> {
  const row = await tables(executor)
    .selectFrom('sign_in_link')
    .select('user_uuid')
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Consumes the link. If multiple callers do so concurrently, only one of them receives the user. */
export async function claimSignInLink(
  executor: Executor,
  { tokenSha256, now }: LinkQuery,
): Promise<string | undefined> {
  const row = await tables(executor)
    .deleteFrom('sign_in_link')
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now)
    .returning('user_uuid')
    .executeTakeFirst();
  return row?.user_uuid;
}

/** Ends a user's browser sessions, and deletes the links and invitations that could open one. */
export async function endSignIns(executor: Executor, userUuid: string): Promise<void> {
  await tables(executor).deleteFrom('session').where('user_uuid', '=', userUuid).execute();
  await tables(executor).deleteFrom('sign_in_link').where('user_uuid', '=', userUuid).execute();
  await tables(executor).deleteFrom('invitation').where('user_uuid', '=', userUuid).execute();
}

export async function insertAccessToken(executor: Executor, row: AccessTokenRow): Promise<void> {
  await tables(executor).insertInto('access_token').values(row).execute();
}

/** Returns the token's row, which cannot be deleted until the transaction ends. */
export const holdAccessToken = (tx: Executor, uuid: string): Promise<AccessTokenRow | undefined> =>
  tables(tx).selectFrom('access_token').selectAll().where('uuid', '=', uuid).forKeyShare().executeTakeFirst();

export const findAccessToken = (executor: Executor, uuid: string): Promise<AccessTokenRow | undefined> =>
  tables(executor).selectFrom('access_token').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Returns a user's tokens, newest first. */
export const accessTokensOf = (executor: Executor, userUuid: string): Promise<AccessTokenRow[]> =>
  tables(executor)
    .selectFrom('access_token')
    .selectAll()
    .where('user_uuid', '=', userUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();

export async function recordTokenUse(executor: Executor, uuid: string, usedAt: Date): Promise<void> {
  await tables(executor).updateTable('access_token').set({ last_used_at: usedAt }).where('uuid', '=', uuid).execute();
}

/** Returns the UUIDs of a user's tokens with this name. */
export async function findTokensByName(
  tx: Executor,
  { userUuid, name }: { readonly userUuid: string; readonly name: string },
): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('access_token')
    .select('uuid')
    .where('user_uuid', '=', userUuid)
    .where('name', '=', name)
    .forUpdate()
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Removes tokens; tokens created with them become children of their successor. */
export async function replaceTokens(tx: Executor, uuids: readonly string[], successorUuid: string): Promise<void> {
  await tables(tx)
    .updateTable('access_token')
    .set({ parent_uuid: successorUuid })
    .where('parent_uuid', 'in', uuids)
    .execute();
  await tables(tx).deleteFrom('access_token').where('uuid', 'in', uuids).execute();
}

/**
 * Removes a user's token and all its descendants; returns the removed rows. If another token is created with one of
 * them in the meantime, its foreign key ensures that it is also removed.
 */
export async function deleteTokenTree(
  tx: Executor,
  { userUuid, uuid }: { readonly userUuid: string; readonly uuid: string },
): Promise<readonly AccessTokenRow[]> {
  const { rows } = await sql<AccessTokenRow>`
    WITH RECURSIVE tree AS (
      SELECT uuid FROM access_token WHERE uuid = ${uuid}::uuid AND user_uuid = ${userUuid}::uuid
      UNION SELECT child.uuid FROM access_token child JOIN tree ON child.parent_uuid = tree.uuid)
    DELETE FROM access_token WHERE uuid IN (SELECT uuid FROM tree) RETURNING *`.execute(tx);
  return rows;
}

/** Removes rows that can never be used again; returns their number. */
export async function deleteExpired(executor: Executor, times: IdleFacts): Promise<number> {
  const { now } = times;
  const sessions = await tables(executor)
    .deleteFrom('session')
    .where((eb) => eb.or([eb('expires_at', '<=', now), isIdle(times)]))
    .executeTakeFirst();
  const links = await tables(executor).deleteFrom('sign_in_link').where('expires_at', '<=', now).executeTakeFirst();
  const tokens = await tables(executor).deleteFrom('access_token').where('expires_at', '<=', now).executeTakeFirst();
  const invitations = await tables(executor).deleteFrom('invitation').where('expires_at', '<=', now).executeTakeFirst();
  const challenges = await tables(executor)
    .deleteFrom('passkey_challenge')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  const removed = [sessions, links, tokens, invitations, challenges];
  return removed.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
}
