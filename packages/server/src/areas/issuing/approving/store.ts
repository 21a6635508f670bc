// Operations that wait for approval. They are suspended when they are reserved, and are later either resumed or ended.
// Workers take over pending operations with an expired lease, so an approved operation is resumed exactly once,
// regardless of who approved it and which nodes crash.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { changeCertificateState, deletePendingRelations } from '../../certificates/index.ts';
import { issuingTables, type OperationKind, type OperationRow } from '../tables.ts';

export type WaitingOperation = Pick<OperationRow, 'certificate_uuid' | 'kind'>;

/** Suspends an operation that this transaction reserved. */
export async function suspend(
  tx: Executor,
  { uuid, certificate_uuid, kind }: WaitingOperation & { readonly uuid: string },
  at: Date,
): Promise<void> {
  await issuingTables(tx)
    .updateTable('certificate_operation')
    .set({ state: 'awaiting_approval', attempts: 0 })
    .where('uuid', '=', uuid)
    .execute();
  await markWaiting(tx, { certificate_uuid, kind }, at, true);
}

/** Returns whether the certificate is archived; waits for a concurrent transaction that archives it. */
export async function isArchived(tx: Executor, certificateUuid: string): Promise<boolean> {
  const row = await issuingTables(tx)
    .selectFrom('certificate')
    .select('archived')
    .where('uuid', '=', certificateUuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.archived ?? false;
}

/** Resumes the certificate's waiting operation; returns its kind. */
export async function resume(tx: Executor, certificateUuid: string, at: Date): Promise<OperationKind | undefined> {
  const { rows } = await sql<{ kind: OperationKind }>`
    UPDATE certificate_operation SET state = 'pending', leased_until = created_at
    WHERE certificate_uuid = ${certificateUuid} AND state = 'awaiting_approval' RETURNING kind`.execute(tx);
  const kind = rows[0]?.kind;
  if (kind) await markWaiting(tx, { certificate_uuid: certificateUuid, kind }, at, false);
  return kind;
}

export interface RejectedOperation {
  readonly kind: OperationKind;
  readonly requester_uuid: string | null;
  /** Revocation reason, if the operation is a revocation. */
  readonly reason: string | null;
}

/** Ends the certificate's waiting operation without carrying it out; returns the operation's details. */
export async function endRejected(
  tx: Executor,
  certificateUuid: string,
  { problem, at }: { readonly problem: string; readonly at: Date },
): Promise<RejectedOperation | undefined> {
  const { rows } = await sql<RejectedOperation>`
    UPDATE certificate_operation SET state = 'failed', last_problem = ${problem}, finished_at = ${at}
    WHERE certificate_uuid = ${certificateUuid} AND state = 'awaiting_approval'
    RETURNING kind, requester_uuid, payload ->> 'reason' AS reason`.execute(tx);
  const [ended] = rows;
  if (!ended) return undefined;
  const { kind } = ended;
  if (kind === 'revoke') await markWaiting(tx, { certificate_uuid: certificateUuid, kind }, at, false);
  else await reject(tx, certificateUuid, at);
  return ended;
}

/** A requested certificate has a separate state for this; a certificate to be revoked stays issued in the meantime. */
async function markWaiting(
  tx: Executor,
  { certificate_uuid: uuid, kind }: WaitingOperation,
  at: Date,
  waits: boolean,
): Promise<void> {
  if (kind !== 'revoke') {
    const states = ['requested', 'pending_approval'] as const;
    const [from, to] = waits ? states : ([states[1], states[0]] as const);
    await changeCertificateState(tx, uuid, { from: [from], to, at });
    return;
  }
  await issuingTables(tx)
    .updateTable('certificate')
    .set({ revocation_awaits_approval: waits, updated_at: at })
    .where('uuid', '=', uuid)
    .execute();
}

async function reject(tx: Executor, uuid: string, at: Date): Promise<void> {
  await changeCertificateState(tx, uuid, { from: ['pending_approval'], to: 'rejected', at });
  await deletePendingRelations(tx, uuid);
}

/** Returns the names by which approvers know certificates, whether or not they can see the inventory. */
export async function findNames(executor: Executor, uuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await issuingTables(executor)
    .selectFrom('certificate')
    .select(['uuid', 'common_name', 'subject_alternative_names', 'subject_dn'])
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ uuid, common_name, subject_alternative_names, subject_dn }) => [
      uuid,
      common_name || Object.values(subject_alternative_names).flat()[0] || subject_dn,
    ]),
  );
}

/** Counts the waiting operations of an RA profile that is to be removed. */
export async function countWaiting(executor: Executor, raProfileUuid: string): Promise<number> {
  const { total } = await issuingTables(executor)
    .selectFrom('certificate_operation')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('ra_profile_uuid', '=', raProfileUuid)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirstOrThrow();
  return total;
}
