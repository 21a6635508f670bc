// Queries for the keys that sign connector tokens.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { ConnectorTables, TokenKeyRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ConnectorTables>();

/** Returns the current key and the keys retired after `since`, newest first. */
export function findPublished(executor: Executor, since: Date): Promise<TokenKeyRow[]> {
  return tables(executor)
    .selectFrom('connector_token_key')
    .selectAll()
    .where((where) => where.or([where('retired_at', 'is', null), where('retired_at', '>', since)]))
    .orderBy('created_at', 'desc')
    .execute();
}

/** Has no effect if there is already a current key. */
export async function insertCurrent(executor: Executor, row: TokenKeyRow): Promise<void> {
  await tables(executor)
    .insertInto('connector_token_key')
    .values({ ...row, public_key: JSON.stringify(row.public_key) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Serializes rotations; readers are not blocked. */
export const lockKeys = (tx: Executor) => sql`LOCK TABLE connector_token_key IN SHARE ROW EXCLUSIVE MODE`.execute(tx);

export async function retireCurrent(tx: Executor, now: Date): Promise<void> {
  await tables(tx)
    .updateTable('connector_token_key')
    .set({ retired_at: now })
    .where('retired_at', 'is', null)
    .execute();
}

export async function removeRetiredBefore(tx: Executor, time: Date): Promise<void> {
  await tables(tx).deleteFrom('connector_token_key').where('retired_at', '<', time).execute();
}
