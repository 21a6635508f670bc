// Enrollment statements. Those for client transactions are on the hot path: concurrent requests share them and their
// commit. They rely on the primary keys and on enrollment_transaction_key.
import { createBatcher } from '@signetry/connector-sdk';
import { sql } from 'kysely';
import { hotStatement, runHot, type Database, type Executor } from '../../platform/database/database.ts';
import type { BegunRow, EnrollmentDetail, EnrollmentRow, EnrollmentTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<EnrollmentTables>();

export interface TransactionKey {
  readonly protocol: EnrollmentRow['protocol'];
  readonly profileUuid: string;
  readonly transactionId: string;
}

export interface Settlement {
  readonly from: readonly EnrollmentRow['state'][];
  readonly state: EnrollmentRow['state'];
  readonly problem?: string | undefined;
  readonly detail?: EnrollmentDetail | undefined;
}

/** The settlement of a single enrollment, with its time. */
export interface DatedSettlement extends Settlement {
  readonly uuid: string;
  readonly at: Date;
}

export interface EnrollmentStatements {
  /**
   * Returns false if the transaction already exists or the secret can no longer be used. The commit is not awaited,
   * because the issuance path commits later and the log is ordered.
   */
  begin(row: EnrollmentRow, secretUuid?: string): Promise<boolean>;
  find(key: TransactionKey): Promise<BegunRow | undefined>;
  /** Returns false if the enrollment is in none of the specified states. */
  settle(settlement: DatedSettlement): Promise<boolean>;
  /** Records the outcome of the issuance path. The commit is not awaited, because the outcome is already in the log. */
  settleShown(settlement: DatedSettlement): Promise<boolean>;
}

export function createEnrollmentStatements({ hot, relaxed }: Pick<Database, 'hot' | 'relaxed'>): EnrollmentStatements {
  const { scheduleFlush } = hot;
  const begin = createBatcher({ scheduleFlush, write: (items: readonly NewTransaction[]) => beginAll(relaxed, items) });
  const find = createBatcher({ scheduleFlush, write: (keys: readonly TransactionKey[]) => findAll(relaxed, keys) });
  const createSettler = (executor: Database['hot']) =>
    createBatcher({ scheduleFlush, write: (items: readonly DatedSettlement[]) => settleAll(executor, items) });
  return {
    begin: (row, secretUuid = undefined) => begin({ row, secretUuid }),
    find,
    settle: createSettler(hot),
    settleShown: createSettler(relaxed),
  };
}

interface NewTransaction {
  readonly row: EnrollmentRow;
  readonly secretUuid: string | undefined;
}

// A secret is consumed only if a transaction starts, and starts only one.
const BEGIN = hotStatement(
  'begin_enrollments',
  `WITH item AS (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS item (uuid uuid, protocol text, profile_uuid uuid, profile_name text,
       ra_profile_uuid uuid, transaction_id text, kind text, requester text, subject text, request_fingerprint text,
       certificate_uuid uuid, state text, problem text, address text, detail jsonb, created_at timestamptz, updated_at timestamptz,
       secret_uuid uuid)),
   used AS (
     UPDATE enrollment_secret s SET used_at = item.created_at, enrollment_uuid = item.uuid FROM item
     WHERE s.uuid = item.secret_uuid AND s.uuid = ANY (ARRAY(SELECT secret_uuid FROM item))
       AND s.used_at IS NULL AND s.withdrawn_at IS NULL AND s.expires_at > item.created_at
       AND NOT EXISTS (SELECT FROM enrollment e WHERE e.protocol = item.protocol AND e.profile_uuid = item.profile_uuid
         AND e.transaction_id = item.transaction_id AND e.certificate_uuid IS NOT NULL)
     RETURNING s.enrollment_uuid)
   INSERT INTO enrollment (uuid, protocol, profile_uuid, profile_name, ra_profile_uuid, transaction_id, kind, requester,
     subject, request_fingerprint, certificate_uuid, state, problem, address, detail, created_at, updated_at)
   SELECT uuid, protocol, profile_uuid, profile_name, ra_profile_uuid, transaction_id, kind, requester, subject,
     request_fingerprint, certificate_uuid, state, problem, address, detail, created_at, updated_at
   FROM item WHERE secret_uuid IS NULL OR uuid IN (SELECT enrollment_uuid FROM used)
   -- In one order everywhere: nodes that begin the same transactions would otherwise wait for each other.
   ORDER BY transaction_id
   ON CONFLICT (protocol, profile_uuid, transaction_id) WHERE certificate_uuid IS NOT NULL DO NOTHING
   RETURNING uuid`,
);

async function beginAll(executor: Database['hot'], items: readonly NewTransaction[]): Promise<boolean[]> {
  const rows = firstOfEach(items).map(({ row, secretUuid }) => ({ ...row, secret_uuid: secretUuid ?? null }));
  const begun = await runHot<{ uuid: string }>(executor, BEGIN, [JSON.stringify(rows)]);
  const uuids = new Set(begun.map(({ uuid }) => uuid));
  return items.map(({ row }) => uuids.has(row.uuid));
}

/**
 * Only the first of several messages in the same transaction can start it; secrets in the other messages are not
 * consumed.
 */
function firstOfEach(items: readonly NewTransaction[]): readonly NewTransaction[] {
  const known = new Set<string>();
  return items.filter(({ row: { protocol, profile_uuid, transaction_id, certificate_uuid } }) => {
    const key = `${protocol} ${profile_uuid} ${transaction_id}`;
    const isFirst = certificate_uuid === null || !known.has(key);
    if (certificate_uuid !== null) known.add(key);
    return isFirst;
  });
}

const FIND = hotStatement(
  'find_enrollments',
  `SELECT item.place, found.* FROM jsonb_to_recordset($1::jsonb) AS item (place integer, protocol text, "profileUuid" uuid,
     "transactionId" text)
   -- For each by itself: a plan that was made for an empty table must not read all enrollments later.
   CROSS JOIN LATERAL (
     SELECT * FROM enrollment e
     WHERE e.protocol = item.protocol AND e.profile_uuid = item."profileUuid" AND e.transaction_id = item."transactionId"
       AND e.certificate_uuid IS NOT NULL
     LIMIT 1) found`,
);

async function findAll(
  executor: Database['hot'],
  keys: readonly TransactionKey[],
): Promise<readonly (BegunRow | undefined)[]> {
  const items = keys.map((key, place) => ({ ...key, place }));
  const rows = await runHot<BegunRow & { readonly place: number }>(executor, FIND, [JSON.stringify(items)]);
  const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]));
  return keys.map((_, place) => byPlace.get(place));
}

const SETTLE = hotStatement(
  'settle_enrollments',
  `UPDATE enrollment e SET state = item.state, problem = coalesce(item.problem, e.problem),
     detail = coalesce(item.detail, e.detail), updated_at = item.at
   FROM jsonb_to_recordset($1::jsonb) AS item (place integer, uuid uuid, "from" text[], state text, problem text,
     detail jsonb, at timestamptz)
   WHERE e.uuid = item.uuid AND e.uuid = ANY ($2::uuid[]) AND e.state = ANY (item."from")
   RETURNING item.place`,
);

/**
 * Only one of multiple simultaneous settlements of an enrollment takes effect. An issued enrollment may briefly be
 * recorded as waiting, see `enroll.ts`.
 */
async function settleAll(executor: Database['hot'], items: readonly DatedSettlement[]): Promise<boolean[]> {
  const rows = items.map(({ from, ...item }, place) => ({
    ...item,
    from: from.includes('issued') ? [...from, 'waiting'] : from,
    place,
  }));
  const uuids = items.map(({ uuid }) => uuid);
  const settled = await runHot<{ place: number }>(executor, SETTLE, [JSON.stringify(rows), uuids]);
  const places = new Set(settled.map(({ place }) => place));
  return items.map((_, place) => places.has(place));
}

/** Takes over a transaction abandoned by a crashed node: the caller that updates its time resumes it. */
export async function takeOver(
  executor: Executor,
  { uuid, before, now }: { readonly uuid: string; readonly before: Date; readonly now: Date },
): Promise<boolean> {
  const result = await tables(executor)
    .updateTable('enrollment')
    .set({ updated_at: now })
    .where('uuid', '=', uuid)
    .where('state', '=', 'waiting')
    .where('updated_at', '<', before)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes enrollments that ended long ago, in batches. */
export async function removeOld(
  executor: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM enrollment WHERE uuid IN (
      SELECT uuid FROM enrollment WHERE state <> 'waiting' AND updated_at < ${before} ORDER BY updated_at LIMIT ${limit})`.execute(
    executor,
  );
  return Number(numAffectedRows);
}
