// Guarded changes to operations: reserving one for an existing certificate, ending it, postponing it. The guards are
// part of the statements. If no row was changed, the caller interprets this result.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { hasReplaceableReason } from '../../certificates/index.ts';
import { issuingTables, type OperationRow } from '../tables.ts';
import type { RevocationChange } from './work.ts';

export type NewOperation = Pick<
  OperationRow,
  | 'uuid'
  | 'certificate_uuid'
  | 'ra_profile_uuid'
  | 'requester_uuid'
  | 'requester_name'
  | 'payload'
  | 'leased_by'
  | 'leased_until'
  | 'created_at'
>;

/**
 * Reserves the issuance of a stored request; returns false if it is not in state `requested` or is already in progress.
 */
export const insertIssueOperation = (tx: Executor, operation: NewOperation): Promise<boolean> =>
  insertOperation(tx, operation, { kind: 'issue', neededState: 'requested' });

/**
 * Reserves a revocation, the replacement of its reason, or the release of a hold; returns false if the certificate is
 * not in a suitable state or another revocation is in progress.
 */
export const insertRevokeOperation = (tx: Executor, operation: NewOperation): Promise<boolean> =>
  insertOperation(tx, operation, {
    kind: 'revoke',
    // Only certificates on hold are released.
    neededState: operation.payload.reason === 'removeFromCRL' ? undefined : 'issued',
    replacing: operation.payload.reason ?? 'unspecified',
  });

/**
 * Must be called within a transaction. The lock on the certificate row lets concurrent callers see each other's
 * operation: after waiting for the lock, a caller checks for operations in a separate statement, because a statement
 * sees only what existed when it began.
 */
async function insertOperation(
  tx: Executor,
  operation: NewOperation,
  guard: { kind: 'issue' | 'revoke'; neededState: string | undefined; replacing?: RevocationChange },
): Promise<boolean> {
  const isReplaceable = guard.replacing === undefined ? sql<boolean>`false` : hasReplaceableReason(guard.replacing);
  const locked = await sql`
    SELECT uuid FROM certificate WHERE uuid = ${operation.certificate_uuid} AND NOT archived AND (state = ${guard.neededState ?? null}::text
      OR ${isReplaceable})
    FOR UPDATE`.execute(tx);
  if (locked.rows.length === 0) return false;
  const result = await sql`
    INSERT INTO certificate_operation (uuid, certificate_uuid, kind, state, ra_profile_uuid, requester_uuid, requester_name, payload, leased_by, leased_until, created_at)
    SELECT ${operation.uuid}, ${operation.certificate_uuid}, ${guard.kind}, 'pending', ${operation.ra_profile_uuid}, ${operation.requester_uuid}, ${operation.requester_name},
      ${JSON.stringify(operation.payload)}::jsonb, ${operation.leased_by}, ${operation.leased_until}, ${operation.created_at}
    WHERE NOT EXISTS (
      SELECT FROM certificate_operation o
      WHERE o.certificate_uuid = ${operation.certificate_uuid} AND o.kind = ${guard.kind} AND o.state IN ('awaiting_approval', 'pending', 'undecided'))`.execute(
    tx,
  );
  return (result.numAffectedRows ?? 0n) > 0n;
}

/** Ends an open operation; returns false if it was already ended elsewhere. */
export async function endOperation(
  executor: Executor,
  uuid: string,
  end: { readonly state: 'done' | 'failed'; readonly problem: string | null; readonly at: Date },
): Promise<boolean> {
  const result = await issuingTables(executor)
    .updateTable('certificate_operation')
    .set({ state: end.state, last_problem: end.problem, finished_at: end.at })
    .where('uuid', '=', uuid)
    .where('state', 'in', ['pending', 'undecided'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Keeps an operation open: to be retried after `leasedUntil`, or undecided. */
export async function postponeOperation(
  executor: Executor,
  uuid: string,
  change: { readonly state: 'pending' | 'undecided'; readonly problem: string; readonly leasedUntil?: Date },
): Promise<boolean> {
  const result = await issuingTables(executor)
    .updateTable('certificate_operation')
    .set({
      state: change.state,
      last_problem: change.problem,
      ...(change.leasedUntil ? { leased_until: change.leasedUntil } : {}),
    })
    .where('uuid', '=', uuid)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
