// Queries for operations whose outcome at the authority is unknown: find them by the key to be certified, and settle
// them manually.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { issuingTables } from '../tables.ts';

export interface WaitingQuery {
  readonly publicKeyFingerprint: string;
  readonly createdBefore: Date;
}

/** Finds waiting operations, oldest first. Relies on the index of pending certificates by key. */
export const findWaitingOperations = async (executor: Executor, query: WaitingQuery) => {
  const rows = await issuingTables(executor)
    .selectFrom('certificate as c')
    .innerJoin('certificate_operation as o', 'o.certificate_uuid', 'c.uuid')
    .innerJoin('certificate_request as r', 'r.uuid', 'c.request_uuid')
    .select(['o.uuid', 'o.certificate_uuid', 'o.kind', 'o.ra_profile_uuid', 'o.predecessor_uuid', 'o.attempts'])
    .select(['c.public_key_fingerprint', 'c.common_name', 'c.protocol', 'r.der', 'r.format'])
    .where('c.state', '=', 'pending_issue')
    .where('c.public_key_fingerprint', '=', query.publicKeyFingerprint)
    .where('o.state', '=', 'undecided')
    .where('o.created_at', '<=', query.createdBefore)
    .orderBy('o.created_at')
    .execute();
  return rows.flatMap(({ kind, ...row }) => (kind === 'revoke' ? [] : [{ ...row, kind }]));
};

export type WaitingOperation = Awaited<ReturnType<typeof findWaitingOperations>>[number];

interface EndedOperation {
  readonly kind: WaitingOperation['kind'];
  readonly requester_uuid: string | null;
}

/** Ends the undecided operation that was to issue this certificate; returns it, or undefined if there is none. */
export async function endUndecided(
  tx: Executor,
  certificateUuid: string,
  { problem, at }: { readonly problem: string; readonly at: Date },
): Promise<EndedOperation | undefined> {
  const { rows } = await sql<EndedOperation>`
    UPDATE certificate_operation SET state = 'failed', last_problem = ${problem}, finished_at = ${at}
    WHERE certificate_uuid = ${certificateUuid} AND state = 'undecided' AND kind <> 'revoke'
    RETURNING kind, requester_uuid`.execute(tx);
  return rows[0];
}
