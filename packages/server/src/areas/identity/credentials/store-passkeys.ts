// Queries for passkeys and for the challenges that browsers sign with them.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables, PasskeyChallengeRow, PasskeyRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

export async function insertChallenge(executor: Executor, row: PasskeyChallengeRow): Promise<void> {
  await tables(executor).insertInto('passkey_challenge').values(row).execute();
}

/** Consumes a challenge. If multiple callers do so concurrently, only one of them receives it. */
export const claimChallenge = (
  executor: Executor,
  { challengeSha256, now }: { readonly challengeSha256: Uint8Array; readonly now: Date },
): Promise<PasskeyChallengeRow | undefined> =>
  tables(executor)
    .deleteFrom('passkey_challenge')
    .where('challenge_sha256', '=', challengeSha256)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

/** Returns false if a passkey with this credential ID already exists. */
export async function insert(executor: Executor, row: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tables(executor)
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.constraint('passkey_credential_key').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns a user's passkeys, oldest first. */
export const findByUser = (executor: Executor, userUuid: string): Promise<PasskeyRow[]> =>
  tables(executor)
    .selectFrom('passkey')
    .selectAll()
    .where('user_uuid', '=', userUuid)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();

export const findByCredential = (executor: Executor, credentialId: Uint8Array): Promise<PasskeyRow | undefined> =>
  tables(executor).selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();

export interface PasskeyOfUser {
  readonly userUuid: string;
  readonly uuid: string;
}

export const rename = (
  tx: Executor,
  { userUuid, uuid, name }: PasskeyOfUser & { readonly name: string },
): Promise<PasskeyRow | undefined> =>
  tables(tx)
    .updateTable('passkey')
    .set({ name })
    .where('uuid', '=', uuid)
    .where('user_uuid', '=', userUuid)
    .returningAll()
    .executeTakeFirst();

/** Removes a passkey and all sessions opened with it, except for the specified session. */
export async function remove(
  tx: Executor,
  { userUuid, uuid }: PasskeyOfUser,
  keptSessionUuid?: string,
): Promise<PasskeyRow | undefined> {
  if (keptSessionUuid !== undefined)
    await tables(tx)
      .updateTable('session')
      .set({ passkey_uuid: null })
      .where('uuid', '=', keptSessionUuid)
      .where('passkey_uuid', '=', uuid)
      .execute();
  return tables(tx)
    .deleteFrom('passkey')
    .where('uuid', '=', uuid)
    .where('user_uuid', '=', userUuid)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Records a use. Returns false if the authenticator has a counter that did not increase, which means that a second copy
 * of its key exists (WebAuthn §6.1.1).
 */
export async function recordUse(
  tx: Executor,
  use: { readonly uuid: string; readonly signCount: number; readonly usedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(tx)
    .updateTable('passkey')
    .set({ sign_count: use.signCount, last_used_at: use.usedAt })
    .where('uuid', '=', use.uuid)
    .where(sql<boolean>`(sign_count < ${use.signCount} OR (sign_count = 0 AND ${use.signCount} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
