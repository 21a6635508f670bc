// Statements with a time limit, for queries that people wait for.
import { sql } from 'kysely';
import { sqlState } from './database-errors.ts';
import type { Database, Executor } from './database.ts';

/** SQLSTATE of a statement that was cancelled. */
export const QUERY_CANCELED = '57014';

/** Each further statement of the transaction is cancelled after this time. */
export async function limitStatements(tx: Executor, limitMs: number): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx);
}

/** The result of the query, or undefined when one of its statements takes longer. */
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
