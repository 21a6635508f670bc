// Statements with a time limit, for interactive queries.
import { sql } from 'kysely';
import { sqlState } from './database-errors.ts';
import type { Database, Executor } from './database.ts';

/** SQLSTATE of a canceled statement. */
export const QUERY_CANCELED = '57014';

/** Cancels each subsequent statement in the transaction that exceeds this time. */
export async function limitStatements(tx: Executor, limitMs: number): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx);
}

/** Returns the query's result, or undefined if one of its statements exceeds the limit. */
export async function withinTime<Result>(
  { database, limitMs }: { readonly database: Database; readonly limitMs: number },
  query: (executor: Executor) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await database.transaction(async (tx) => {
      await limitStatements(tx, limitMs);
      return query(tx);
    });
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELED) return undefined;
    throw error;
  }
}
