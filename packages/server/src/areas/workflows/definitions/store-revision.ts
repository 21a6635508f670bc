// The number of the last change of definitions and associations.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';

/** To be called last in the transaction of every change: changes wait for one another from here on. */
export async function nextRevision(tx: Executor): Promise<void> {
  await sql`UPDATE workflow_revision SET revision = revision + 1`.execute(tx);
}

/** What was read before with the same revision is as it was, but that objects may be gone with their associations. */
export async function readRevision(executor: Executor): Promise<number> {
  const { rows } = await sql<{ revision: number }>`SELECT revision FROM workflow_revision`.execute(executor);
  return rows[0]?.revision ?? 0;
}
