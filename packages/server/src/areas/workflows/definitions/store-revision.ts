// Revision number of the last change to definitions and associations.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';

/** Must be called last in the transaction of every change: from here on, changes wait for each other. */
export async function nextRevision(tx: Executor): Promise<void> {
  await sql`UPDATE workflow_revision SET revision = revision + 1`.execute(tx);
}

/**
 * Returns the current revision. Data read previously at the same revision is still current, except that objects may
 * have been removed together with their associations.
 */
export async function readRevision(executor: Executor): Promise<number> {
  const { rows } = await sql<{ revision: number }>`SELECT revision FROM workflow_revision`.execute(executor);
  return rows[0]?.revision ?? 0;
}
