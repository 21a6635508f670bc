// One node at a time validates what is due.
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts';
import type { Database } from '../../../platform/database/database.ts';

/** Undefined while another node has the lock. Its connection holds it: it is free when the node dies. */
export async function lockDue<Result>(database: Database, work: () => Promise<Result>): Promise<Result | undefined> {
  const client = await database.connect();
  try {
    const lock = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      ADVISORY_LOCKS.dueValidations,
    ]);
    if (!lock.rows[0]?.locked) return undefined;
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.dueValidations]);
    }
  } finally {
    client.release();
  }
}
