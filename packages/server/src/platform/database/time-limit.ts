// Statements that may take only so long. Those who ask are people; what takes longer is better asked otherwise, or not at all.
import { sql } from 'kysely';
import { sqlState } from './database-errors.ts';
import type { Database, Executor } from './database.ts';

/** SQLSTATE of a statement that was cut off. */
export const QUERY_CANCELED = '57014';

/** Each statement of the transaction from here on is cut off after so long. */
export async function limitStatements(tx: Executor, limitMs: number): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx);
}

/** What the query answers, or undefined when one of its statements takes longer. */
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
