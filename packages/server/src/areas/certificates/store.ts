// Reads and guarded changes of certificates and their operations. Guards are in the statements: zero rows changed is an
// answer, and the caller says what it means.
import { sql } from 'kysely';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ReadCertificate } from './read-certificate.ts';
import type { CertificateRow, CertificateTables, HistoryRow, OperationRow, RequestRow } from './tables.ts';

export const tables = (executor: Executor) => executor.withTables<CertificateTables>();

export const findOne = (executor: Executor, uuid: string): Promise<CertificateRow | undefined> =>
  tables(executor).selectFrom('certificate').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findRequest = (executor: Executor, uuid: string): Promise<RequestRow | undefined> =>
  tables(executor).selectFrom('certificate_request').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** DER of a certificate that has content. */
export async function contentOf(
  executor: Executor,
  row: Pick<CertificateRow, 'uuid' | 'fingerprint'>,
): Promise<Buffer> {
  const content = await tables(executor)
    .selectFrom('certificate_content')
    .select('der')
    .where('fingerprint', '=', row.fingerprint ?? '')
    .executeTakeFirst();
  if (!content) throw new Error(`Certificate ${row.uuid} has no content.`);
  return content.der;
}

export type CaCertificateRow = Pick<
  CertificateRow,
  | 'uuid'
  | 'serial_number'
  | 'trusted_ca'
  | 'validation_status'
  | 'state'
  | 'not_before'
  | 'not_after'
  | 'subject_dn'
  | 'issuer_certificate_uuid'
> & { readonly der: Buffer };

/** CA certificates with this subject, trusted ones first, then the newest. */
export const findCaCertificatesBySubject = (
  executor: Executor,
  { subjectDnNormalized, limit }: { readonly subjectDnNormalized: string; readonly limit: number },
): Promise<CaCertificateRow[]> =>
  tables(executor)
    .selectFrom('certificate as c')
    .innerJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .select([
      'c.uuid',
      'c.serial_number',
      'c.trusted_ca',
      'c.validation_status',
      'c.state',
      'c.not_before',
      'c.not_after',
      'c.subject_dn',
      'c.issuer_certificate_uuid',
      'content.der',
    ])
    .where('c.subject_dn_normalized', '=', subjectDnNormalized)
    .where('c.trusted_ca', 'is not', null)
    .where('c.state', 'in', ['issued', 'revoked'])
    .where('c.archived', '=', false)
    .orderBy('c.trusted_ca', 'desc')
    .orderBy('c.not_before', 'desc')
    .limit(limit)
    .execute();

export type CaPathRow = Pick<
  CertificateRow,
  'uuid' | 'common_name' | 'state' | 'revoked_at' | 'revocation_reason' | 'not_after'
>;

/** Paths have up to five certificates. */
const MAX_PATH = 8;

/** A CA certificate and those above it, as far as they are linked, in this order. */
export async function findCaPath(executor: Executor, uuid: string): Promise<CaPathRow[]> {
  const { rows } = await sql<CaPathRow>`
    WITH RECURSIVE path AS (
      SELECT uuid, issuer_certificate_uuid, 1 AS depth FROM certificate WHERE uuid = ${uuid}
      UNION
      SELECT above.uuid, above.issuer_certificate_uuid, path.depth + 1
      FROM path JOIN certificate above ON above.uuid = path.issuer_certificate_uuid
      WHERE above.uuid <> path.uuid AND path.depth < ${MAX_PATH}
    )
    SELECT c.uuid, c.common_name, c.state, c.revoked_at, c.revocation_reason, c.not_after
    FROM path JOIN certificate c ON c.uuid = path.uuid ORDER BY path.depth`.execute(executor);
  return rows;
}

export async function insertHistory(executor: Executor, row: HistoryRow): Promise<void> {
  await tables(executor)
    .insertInto('certificate_history')
    .values({ ...row, additional: row.additional === null ? null : (JSON.stringify(row.additional) as never) }) // jsonb takes text
    .execute();
}

type NewOperation = Pick<
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

/** Reserves a revocation; false when the certificate is not issued or another revocation is under way. */
export const insertRevokeOperation = (tx: Executor, operation: NewOperation): Promise<boolean> =>
  insertOperation(tx, operation, { kind: 'revoke', neededState: 'issued' });

/**
 * Within a transaction. The lock on the certificate row makes two callers at once see each other's operation: whoever waited for it
 * looks for operations in a statement of its own, since one statement sees only what was there when it began.
 */
async function insertOperation(
  tx: Executor,
  operation: NewOperation,
  guard: { kind: 'issue' | 'revoke'; neededState: string },
): Promise<boolean> {
  const locked = await sql`
    SELECT uuid FROM certificate WHERE uuid = ${operation.certificate_uuid} AND state = ${guard.neededState} AND NOT archived
    FOR UPDATE`.execute(tx);
  if (locked.rows.length === 0) return false;
  const result = await sql`
    INSERT INTO certificate_operation (uuid, certificate_uuid, kind, state, ra_profile_uuid, requester_uuid, requester_name, payload, leased_by, leased_until, created_at)
    SELECT ${operation.uuid}, ${operation.certificate_uuid}, ${guard.kind}, 'pending', ${operation.ra_profile_uuid}, ${operation.requester_uuid}, ${operation.requester_name},
      ${JSON.stringify(operation.payload)}::jsonb, ${operation.leased_by}, ${operation.leased_until}, ${operation.created_at}
    WHERE NOT EXISTS (
      SELECT FROM certificate_operation o
      WHERE o.certificate_uuid = ${operation.certificate_uuid} AND o.kind = ${guard.kind} AND o.state IN ('pending', 'undecided'))`.execute(
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
  const result = await tables(executor)
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
  const result = await tables(executor)
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

/** Moves a certificate from one of the given states; false when it was in another. */
export async function changeState(
  executor: Executor,
  uuid: string,
  change: {
    readonly from: readonly CertificateRow['state'][];
    readonly to: CertificateRow['state'];
    readonly at: Date;
  },
): Promise<boolean> {
  const result = await tables(executor)
    .updateTable('certificate')
    .set({ state: change.to, updated_at: change.at })
    .where('uuid', '=', uuid)
    .where('state', 'in', change.from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends a requested certificate as failed; what was received is kept as evidence, outside the unique keys of good ones. */
export async function failCertificate(
  executor: Executor,
  uuid: string,
  facts: { readonly received: ReadCertificate | undefined; readonly at: Date },
): Promise<void> {
  const { received, at } = facts;
  if (received) await insertContent(executor, received);
  await tables(executor)
    .updateTable('certificate')
    .set({
      state: 'failed',
      updated_at: at,
      ...(received
        ? {
            fingerprint: received.facts.fingerprint,
            serial_number: received.facts.serial_number,
            issuer_dn: received.facts.issuer_dn,
            issuer_dn_normalized: received.facts.issuer_dn_normalized,
            issuer_common_name: received.facts.issuer_common_name,
            not_before: received.facts.not_before,
            not_after: received.facts.not_after,
          }
        : {}),
    })
    .where('uuid', '=', uuid)
    .where('state', 'in', ['requested', 'pending_issue'])
    .execute();
  await tables(executor)
    .deleteFrom('certificate_relation')
    .where('successor_uuid', '=', uuid)
    .where('relation_type', '=', 'pending')
    .execute();
}

async function insertContent(executor: Executor, { certificate, facts }: ReadCertificate): Promise<void> {
  await tables(executor)
    .insertInto('certificate_content')
    .values({ fingerprint: facts.fingerprint, der: Buffer.from(certificate.der) })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .execute();
}

/** Issued to revoked; answers the row, or undefined when it was not issued. */
export const markRevoked = (
  executor: Executor,
  uuid: string,
  facts: { readonly reason: NonNullable<CertificateRow['revocation_reason']>; readonly at: Date },
): Promise<CertificateRow | undefined> =>
  tables(executor)
    .updateTable('certificate')
    .set({
      state: 'revoked',
      validation_status: 'revoked',
      revoked_at: facts.at,
      revocation_reason: facts.reason,
      updated_at: facts.at,
    })
    .where('uuid', '=', uuid)
    .where('state', '=', 'issued')
    .returningAll()
    .executeTakeFirst();

/** A history entry of a change that happened just now. */
export const historyEntry = (
  entry: Omit<HistoryRow, 'uuid' | 'additional'> & { readonly additional?: HistoryRow['additional'] },
): HistoryRow => ({
  additional: null,
  ...entry,
  uuid: newUuid(),
});
