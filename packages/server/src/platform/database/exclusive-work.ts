// Work that only one node performs at a time.
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Database } from './database.ts';

/**
 * Runs `work` while a dedicated transaction holds the advisory lock; returns undefined if a different node holds it.
 * The lock is released if the node fails. The transaction reads nothing, so it does not hold back vacuum.
 */
export async function runExclusively<Result>(
  database: Database,
  lock: keyof typeof ADVISORY_LOCKS,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // The statement has no parameters, because a portal of the extended protocol would keep its snapshot, and a
    // concurrent index build would wait for it.
    const taken = `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS[lock]}) AS locked`;
    const { rows } = await client.query<{ locked: boolean }>(taken);
    return rows[0]?.locked ? await work() : undefined;
  } finally {
    // A broken connection has already released the lock.
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}
