// Queries for certificates with successors in progress. Relies on the indexes certificate_relation_by_predecessor and
// certificate_operation_by_certificate.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { SuccessorRequest } from './succession.ts';

/** Successor to be reserved. */
export interface DesiredSuccessor {
  readonly predecessorUuid: string;
  readonly successorUuid: string;
  /** Null if it is not known yet. */
  readonly kind: 'renew' | 'rekey' | null;
  /** When the caller made the request. */
  readonly begunAt: Date;
}

/** Serializes transactions that reserve a successor of the same certificate, until they end. */
export async function lockPredecessors(tx: Executor, uuids: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM certificate WHERE uuid = ANY (${uuids}::uuid[]) ORDER BY uuid FOR NO KEY UPDATE`.execute(tx);
}

/**
 * Finds other successors that are not finished, or that were finished after the caller's request. A renewal and a rekey
 * can wait for approval side by side; users choose between them. An `undecided` operation, for which the authority may
 * have signed, does not block a renewal, because only a user can settle it.
 */
export async function findInProgress(
  executor: Executor,
  wanted: readonly DesiredSuccessor[],
): Promise<SuccessorRequest[]> {
  const rows = wanted.map(({ predecessorUuid, successorUuid, kind, begunAt }) => ({
    predecessor_uuid: predecessorUuid,
    successor_uuid: successorUuid,
    kind,
    begun_at: begunAt,
  }));
  const found = await sql<SuccessorRequest>`
    SELECT wanted.predecessor_uuid AS "predecessorUuid", o.certificate_uuid AS "successorUuid", o.state,
      o.requester_name AS "requesterName", o.created_at AS "createdAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS wanted (predecessor_uuid uuid, successor_uuid uuid, kind text, begun_at timestamptz)
    JOIN certificate_relation r ON r.predecessor_uuid = wanted.predecessor_uuid AND r.successor_uuid <> wanted.successor_uuid
    JOIN certificate_operation o ON o.certificate_uuid = r.successor_uuid AND o.predecessor_uuid = wanted.predecessor_uuid
    WHERE o.state = 'awaiting_approval' AND (wanted.kind IS NULL OR wanted.kind = o.kind) OR o.state = 'pending' OR o.state = 'done' AND o.finished_at > wanted.begun_at
    ORDER BY o.created_at DESC`.execute(executor);
  return found.rows;
}

export async function findSuccessors(executor: Executor, predecessorUuid: string): Promise<readonly string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT successor_uuid AS uuid FROM certificate_relation WHERE predecessor_uuid = ${predecessorUuid}::uuid`.execute(
    executor,
  );
  return rows.map(({ uuid }) => uuid);
}
