// Statements on enrolments. Those that begin and end one are hot; they are not waited for, since what the issuing path
// commits between the two is, and the log is ordered.
import { sql } from 'kysely';
import {
  hotStatement,
  runHot,
  type Database,
  type Executor,
  type HotExecutor,
} from '../../platform/database/database.ts';
import type { BegunRow, EnrolmentDetail, EnrolmentRow, EnrolmentTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<EnrolmentTables>();

export interface TransactionKey {
  readonly protocol: EnrolmentRow['protocol'];
  readonly profileUuid: string;
  readonly transactionId: string;
}

// A secret is used up only where a transaction begins.
const BEGIN = hotStatement(
  'begin_enrolment',
  `WITH item AS (
     SELECT * FROM jsonb_to_record($1::jsonb) AS item (uuid uuid, protocol text, profile_uuid uuid, profile_name text,
       ra_profile_uuid uuid, transaction_id text, kind text, requester text, subject text, request_fingerprint text,
       certificate_uuid uuid, state text, problem text, detail jsonb, created_at timestamptz, updated_at timestamptz)),
   used AS (
     UPDATE enrolment_secret s SET used_at = item.created_at, enrolment_uuid = item.uuid FROM item
     WHERE s.uuid = $2::uuid AND s.used_at IS NULL AND s.withdrawn_at IS NULL AND s.expires_at > item.created_at
       AND NOT EXISTS (SELECT FROM enrolment e WHERE e.protocol = item.protocol AND e.profile_uuid = item.profile_uuid
         AND e.transaction_id = item.transaction_id AND e.certificate_uuid IS NOT NULL)
     RETURNING s.uuid)
   INSERT INTO enrolment (uuid, protocol, profile_uuid, profile_name, ra_profile_uuid, transaction_id, kind, requester,
     subject, request_fingerprint, certificate_uuid, state, problem, detail, created_at, updated_at)
   SELECT uuid, protocol, profile_uuid, profile_name, ra_profile_uuid, transaction_id, kind, requester, subject,
     request_fingerprint, certificate_uuid, state, problem, detail, created_at, updated_at
   FROM item WHERE $2::uuid IS NULL OR EXISTS (SELECT FROM used)
   ON CONFLICT (protocol, profile_uuid, transaction_id) WHERE certificate_uuid IS NOT NULL DO NOTHING
   RETURNING uuid`,
);

/** False where the transaction is known, or the secret can no longer be used. */
export async function begin(
  executor: HotExecutor,
  row: EnrolmentRow,
  secretUuid: string | undefined,
): Promise<boolean> {
  return (await runHot(executor, BEGIN, [JSON.stringify(row), secretUuid ?? null])).length > 0;
}

const FIND = hotStatement(
  'find_enrolment',
  `SELECT * FROM enrolment
   WHERE protocol = $1 AND profile_uuid = $2::uuid AND transaction_id = $3 AND certificate_uuid IS NOT NULL`,
);

export async function find(executor: HotExecutor, key: TransactionKey): Promise<BegunRow | undefined> {
  const rows = await runHot<BegunRow>(executor, FIND, [key.protocol, key.profileUuid, key.transactionId]);
  return rows[0];
}

/** One that was left behind by a node that died: whoever moves its time carries it on. */
export async function takeOver(
  executor: Executor,
  { uuid, before, now }: { readonly uuid: string; readonly before: Date; readonly now: Date },
): Promise<boolean> {
  const result = await tables(executor)
    .updateTable('enrolment')
    .set({ updated_at: now })
    .where('uuid', '=', uuid)
    .where('state', '=', 'waiting')
    .where('updated_at', '<', before)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const SETTLE = hotStatement(
  'settle_enrolment',
  `UPDATE enrolment SET state = $3, problem = coalesce($4, problem), detail = coalesce($5::jsonb, detail),
     updated_at = $6::timestamptz
   WHERE uuid = $1::uuid AND state = ANY($2::text[]) RETURNING uuid`,
);

export interface Settlement {
  readonly from: readonly EnrolmentRow['state'][];
  readonly state: EnrolmentRow['state'];
  readonly problem?: string | undefined;
  readonly detail?: EnrolmentDetail | undefined;
}

/** False where it is in none of the states that are named. */
export async function settle(
  executor: HotExecutor,
  uuid: string,
  { from, state, problem, detail, at }: Settlement & { readonly at: Date },
): Promise<boolean> {
  const kept = detail === undefined ? null : JSON.stringify(detail);
  return (await runHot(executor, SETTLE, [uuid, [...from], state, problem ?? null, kept, at])).length > 0;
}

/** Those that ended long ago, in batches. */
export async function removeOld(
  { executor }: Pick<Database, 'executor'>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM enrolment WHERE uuid IN (
      SELECT uuid FROM enrolment WHERE state <> 'waiting' AND updated_at < ${before} LIMIT ${limit})`.execute(executor);
  return Number(numAffectedRows);
}
