// Renewals that are scheduled, in progress or finished, and their attempts.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { AttemptRow, RenewalRow, RenewalTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RenewalTables>();

/** Schedules renewals, except those already scheduled, which remain unchanged. */
export async function plan(executor: Executor, rows: readonly RenewalRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tables(executor)
    .insertInto('renewal')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Returns how many more renewals each authority with a limit can receive. Other nodes cannot start renewals until the
 * transaction ends.
 */
export async function holdLimits(tx: Executor, since: Date): Promise<Map<string, number>> {
  await tables(tx).selectFrom('renewal_limit').select('authority_uuid').orderBy('authority_uuid').forUpdate().execute();
  // This must be a separate statement, so that it sees renewals that were started while the first statement waited for
  // its lock.
  const { rows } = await sql<{ authority_uuid: string; free: number }>`
    SELECT l.authority_uuid, l.per_hour - (SELECT count(*)::int FROM renewal_attempt a
      WHERE a.authority_uuid = l.authority_uuid AND a.started_at > ${since}) AS free
    FROM renewal_limit l`.execute(tx);
  return new Map(rows.map((row) => [row.authority_uuid, row.free]));
}

export interface DueRenewal extends RenewalRow {
  readonly authority_uuid: string | null;
}

/**
 * Claims due renewals that are not paused, including those left by crashed nodes and those leased before the clock was
 * set back. No other node can claim them until the transaction ends.
 */
export async function lockDue(
  tx: Executor,
  { now, limit, exhausted }: { readonly now: Date; readonly limit: number; readonly exhausted: readonly string[] },
): Promise<DueRenewal[]> {
  const { rows } = await sql<DueRenewal>`
    SELECT r.*, ra.authority_uuid FROM renewal r
    JOIN renewal_setting s ON s.ra_profile_uuid = r.ra_profile_uuid
    JOIN ra_profile ra ON ra.uuid = r.ra_profile_uuid
    WHERE r.state IN ('planned', 'renewing') AND r.next_at <= ${now} AND (r.leased_until IS NULL
        OR r.leased_until NOT BETWEEN ${now} AND ${now}::timestamptz + interval '1 hour')
      AND NOT s.paused AND (ra.authority_uuid IS NULL OR NOT ra.authority_uuid = ANY(${[...exhausted]}::uuid[]))
    ORDER BY r.next_at LIMIT ${limit} FOR UPDATE OF r SKIP LOCKED`.execute(tx);
  return rows;
}

/** Starts an attempt for each renewal, and closes attempts left open by crashed nodes. */
export async function begin(
  tx: Executor,
  attempts: readonly AttemptRow[],
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> {
  if (attempts.length === 0) return;
  const uuids = attempts.map((attempt) => attempt.renewal_uuid);
  await tables(tx)
    .updateTable('renewal_attempt')
    .set({ ended_at: now, problem: 'The node running it stopped.' })
    .where('renewal_uuid', 'in', uuids)
    .where('ended_at', 'is', null)
    .execute();
  await tables(tx)
    .insertInto('renewal_attempt')
    .values([...attempts])
    .execute();
  await tables(tx)
    .updateTable('renewal')
    .set({ state: 'renewing', leased_until: until })
    .where('uuid', 'in', uuids)
    .execute();
}

/** Releases the renewal and closes its open attempt. */
export async function settle(
  tx: Executor,
  uuid: string,
  {
    endedAt,
    ...changes
  }: Partial<Pick<RenewalRow, 'state' | 'next_at' | 'attempts' | 'problem' | 'successor_uuid' | 'awaits_issue'>> & {
    readonly endedAt: Date;
  },
): Promise<void> {
  await tables(tx)
    .updateTable('renewal')
    .set({ ...changes, leased_until: null })
    .where('uuid', '=', uuid)
    .execute();
  await tables(tx)
    .updateTable('renewal_attempt')
    .set({ ended_at: endedAt, problem: changes.problem ?? null, successor_uuid: changes.successor_uuid ?? null })
    .where('renewal_uuid', '=', uuid)
    .where('ended_at', 'is', null)
    .execute();
}

/** Deletes the renewal and its open attempt, as if it had never been scheduled. */
export async function forget(tx: Executor, uuid: string): Promise<void> {
  await tables(tx).deleteFrom('renewal').where('uuid', '=', uuid).execute();
  await tables(tx)
    .deleteFrom('renewal_attempt')
    .where('renewal_uuid', '=', uuid)
    .where('ended_at', 'is', null)
    .execute();
}

export const findBySuccessor = (
  executor: Executor,
  { locationUuid, certificateUuid }: { readonly locationUuid: string; readonly certificateUuid: string },
): Promise<RenewalRow | undefined> =>
  tables(executor)
    .selectFrom('renewal')
    .selectAll()
    .where('location_uuid', '=', locationUuid)
    .where('successor_uuid', '=', certificateUuid)
    .executeTakeFirst();

/**
 * Returns renewals whose successor failed or was rejected, for example by an approver. Also stops tracking successors
 * that have been issued.
 */
export async function findUnissued(executor: Executor, limit: number): Promise<RenewalRow[]> {
  await sql`UPDATE renewal r SET awaits_issue = false FROM certificate next
    WHERE r.awaits_issue AND next.uuid = r.successor_uuid AND next.state NOT IN ('requested', 'pending_approval',
      'pending_issue', 'failed', 'rejected')`.execute(executor);
  const { rows } = await sql<RenewalRow>`
    SELECT r.* FROM renewal r JOIN certificate next ON next.uuid = r.successor_uuid
    WHERE r.awaits_issue AND r.state = 'renewed' AND next.state IN ('failed', 'rejected') LIMIT ${limit}`.execute(
    executor,
  );
  return rows;
}
