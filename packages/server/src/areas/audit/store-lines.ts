// Audit records queued for printing to the log (migration 0038-audit-search-and-lines).
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { AuditFactsRow } from './present.ts';

type Line = AuditFactsRow & { readonly node_id: string };

/**
 * Removes lines from the queue in the order of their creation and returns them: the node's own, and those of nodes that
 * no longer print. No two nodes get the same line.
 */
export async function claimLines(
  tx: Executor,
  due: { readonly ownNode: string; readonly abandonedAfterMs: number; readonly limit: number },
): Promise<readonly Line[]> {
  const taken = await sql<{ id: number; record: Omit<Line, 'timestamp'> & { readonly timestamp: string } }>`
    DELETE FROM audit_line WHERE id IN (
      SELECT id FROM audit_line
      WHERE node_id = ${due.ownNode}::uuid OR queued_at < clock_timestamp() - make_interval(secs => ${due.abandonedAfterMs / 1000})
      ORDER BY id LIMIT ${due.limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, record`.execute(tx);
  return taken.rows
    .toSorted((a, b) => a.id - b.id)
    .map(({ record }) => ({ ...record, timestamp: new Date(record.timestamp) }));
}
