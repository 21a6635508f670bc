// Guarded changes of operations: reserved on a certificate that is there, ended, put off. Guards are in the statements:
// zero rows changed is an answer, and the caller says what it means.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { hasLesserReason } from '../../certificates/index.ts';
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

/** Reserves the issuing of a stored request; false when it is not in state requested or is under way already. */
export const insertIssueOperation = (tx: Executor, operation: NewOperation): Promise<boolean> =>
  insertOperation(tx, operation, { kind: 'issue', neededState: 'requested' });

/**
 * Reserves a revocation, the replacement of its reason, or the release of a hold; false when the certificate is not in
 * the state for it or another revocation is under way.
 */
export const insertRevokeOperation = (tx: Executor, operation: NewOperation): Promise<boolean> =>
  insertOperation(tx, operation, {
    kind: 'revoke',
    // Only what is on hold is released.
    neededState: operation.payload.reason === 'removeFromCRL' ? undefined : 'issued',
    replacing: operation.payload.reason ?? 'unspecified',
  });

/**
 * Within a transaction. The lock on the certificate row makes two callers at once see each other's operation: whoever
 * waited for it looks for operations in a statement of its own, since one statement sees only what was there when it
 * began.
 */
async function insertOperation(
  tx: Executor,
  operation: NewOperation,
  guard: { kind: 'issue' | 'revoke'; neededState: string | undefined; replacing?: RevocationChange },
): Promise<boolean> {
  const isReplaceable = guard.replacing === undefined ? sql<boolean>`false` : hasLesserReason(guard.replacing);
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

/** Ends an operation that is still open; false when somebody else ended it. */
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

/** Keeps an operation open: to be tried again after `leasedUntil`, or undecided. */
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
