// Renewals that are planned, begun and ended, and every try of them.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { AttemptRow, RenewalRow, RenewalTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RenewalTables>();

/** What is planned already stays as it is. */
export async function plan(executor: Executor, rows: readonly RenewalRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tables(executor)
    .insertInto('renewal')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Renewals that authorities with limits may still be asked for; nobody else begins any until the transaction ends. */
export async function holdLimits(tx: Executor, since: Date): Promise<Map<string, number>> {
  await tables(tx).selectFrom('renewal_limit').select('authority_uuid').orderBy('authority_uuid').forUpdate().execute();
  // A statement of its own: it sees what was begun while the first one waited.
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
 * What is due and not paused, also of nodes that died, or worked before the clock was set back; nobody else takes it
 * until the transaction ends.
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

/** A try of each begins. One of a node that died has ended by that. */
export async function begin(
  tx: Executor,
  attempts: readonly AttemptRow[],
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> {
  if (attempts.length === 0) return;
  const uuids = attempts.map((attempt) => attempt.renewal_uuid);
  await tables(tx)
    .updateTable('renewal_attempt')
    .set({ ended_at: now, problem: 'The node that worked on it stopped.' })
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

/** Lets go of it, and ends the try that is open. */
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

/** As if it had never been planned; no try of it began. */
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

/** Renewals whose successor came to nothing, e.g. as nobody approved it. Nobody waits for those that are issued. */
export async function takeUnissued(executor: Executor, limit: number): Promise<RenewalRow[]> {
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
