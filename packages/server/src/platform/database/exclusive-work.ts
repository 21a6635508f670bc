// Work that one node does at a time.
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Database } from './database.ts';

/**
 * Runs `work` while a transaction of its own holds the advisory lock; undefined while another node holds it. The lock
 * is free when the node dies. The transaction reads nothing, so it keeps no old rows.
 */
export async function workAlone<Result>(
  database: Database,
  lock: keyof typeof ADVISORY_LOCKS,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // Without parameters: a portal of the extended protocol would keep its snapshot, and whoever makes an index would
    // wait for it.
    const taken = `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS[lock]}) AS locked`;
    const { rows } = await client.query<{ locked: boolean }>(taken);
    return rows[0]?.locked ? await work() : undefined;
  } finally {
    // A connection that broke has released the lock.
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}
