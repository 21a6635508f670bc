// Queries of sessions, sign-in links and access tokens.
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

/** Answers whose session it was, or nothing when it was gone already. */
export async function deleteSession(executor: Executor, tokenSha256: Uint8Array): Promise<string | undefined> {
  const row = await tables(executor)
    .deleteFrom('session')
    .where('token_sha256', '=', tokenSha256)
    .returning('user_uuid')
    .executeTakeFirst();
  return row?.user_uuid;
}

/** Was a session not used for too long? Its own time counts before the usual one, which began at `idleSince`. */
const isIdle = ({ now, idleSince }: IdleFacts) => sql<boolean>`
  last_seen_at <= CASE WHEN idle_s IS NULL THEN ${idleSince}::timestamptz ELSE ${now}::timestamptz - idle_s * interval '1 second' END`;

interface IdleFacts {
  readonly now: Date;
  readonly idleSince: Date;
}

/** Sessions of a user that have not ended, the latest used first. */
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

/** Ends one session of a user; answers whether it was there. */
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

/** Ends all sessions of a user but one; answers how many. */
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

export interface LinkQuestion {
  readonly tokenSha256: Uint8Array;
  readonly now: Date;
}

export async function hasSignInLink(executor: Executor, { tokenSha256, now }: LinkQuestion): Promise<boolean> {
  const row = await tables(executor)
    .selectFrom('sign_in_link')
    .select('user_uuid')
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses the link up. Of several callers at once exactly one gets the user. */
export async function takeSignInLink(
  executor: Executor,
  { tokenSha256, now }: LinkQuestion,
): Promise<string | undefined> {
  const row = await tables(executor)
    .deleteFrom('sign_in_link')
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now)
    .returning('user_uuid')
    .executeTakeFirst();
  return row?.user_uuid;
}

/** Ends every browser session of a user, and every link and invitation that could open one. */
export async function endSignIns(executor: Executor, userUuid: string): Promise<void> {
  await tables(executor).deleteFrom('session').where('user_uuid', '=', userUuid).execute();
  await tables(executor).deleteFrom('sign_in_link').where('user_uuid', '=', userUuid).execute();
  await tables(executor).deleteFrom('invitation').where('user_uuid', '=', userUuid).execute();
}

export async function insertAccessToken(executor: Executor, row: AccessTokenRow): Promise<void> {
  await tables(executor).insertInto('access_token').values(row).execute();
}

/** The row, which stays until the transaction ends. */
export const holdAccessToken = (tx: Executor, uuid: string): Promise<AccessTokenRow | undefined> =>
  tables(tx).selectFrom('access_token').selectAll().where('uuid', '=', uuid).forKeyShare().executeTakeFirst();

export const findAccessToken = (executor: Executor, uuid: string): Promise<AccessTokenRow | undefined> =>
  tables(executor).selectFrom('access_token').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Tokens of a user, the newest first. */
export const accessTokensOf = (executor: Executor, userUuid: string): Promise<AccessTokenRow[]> =>
  tables(executor)
    .selectFrom('access_token')
    .selectAll()
    .where('user_uuid', '=', userUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();

export async function noteTokenUse(executor: Executor, uuid: string, usedAt: Date): Promise<void> {
  await tables(executor).updateTable('access_token').set({ last_used_at: usedAt }).where('uuid', '=', uuid).execute();
}

/** Identifiers of the tokens of a user that have this name. */
export async function tokensNamed(
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

/** Removes tokens; what was made with them belongs to their successor. */
export async function replaceTokens(tx: Executor, uuids: readonly string[], successorUuid: string): Promise<void> {
  await tables(tx)
    .updateTable('access_token')
    .set({ parent_uuid: successorUuid })
    .where('parent_uuid', 'in', uuids)
    .execute();
  await tables(tx).deleteFrom('access_token').where('uuid', 'in', uuids).execute();
}

/**
 * Removes a token of a user with all that descends from it; answers those that were there. What is made with one of
 * them meanwhile goes by its foreign key.
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

/** Removes what can never be used again. */
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
