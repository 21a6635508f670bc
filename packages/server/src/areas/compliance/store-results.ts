// Results of checks, the last of each object, and checks of many objects.
import { sql } from 'kysely';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { tables } from './store.ts';
import type { ResultRow, RunRow, Subject } from './tables.ts';

const columnOf = {
  certificates: 'certificate_uuid',
  certificateRequests: 'request_uuid',
  keys: 'key_item_uuid',
} as const satisfies Record<Subject, keyof ResultRow>;

export interface KeptResult extends Pick<ResultRow, 'status' | 'message' | 'rules'> {
  readonly subject: Subject;
  readonly objectUuid: string;
}

/** Objects that are gone meanwhile have none. */
export async function keepResults(tx: Executor, results: readonly KeptResult[], at: Date): Promise<void> {
  const tableOf = { certificates: 'certificate', certificateRequests: 'certificate_request', keys: 'key_item' };
  for (const { subject, objectUuid, status, message, rules } of results.toSorted(byUuid)) {
    const column = sql.ref(columnOf[subject]);
    await sql`
      INSERT INTO compliance_result (uuid, ${column}, checked_at, status, message, rules)
      SELECT ${newUuid()}::uuid, o.uuid, ${at}, ${status}, ${message}, ${JSON.stringify(rules)}::jsonb
      FROM ${sql.table(tableOf[subject])} o WHERE o.uuid = ${objectUuid}::uuid
      ON CONFLICT (${column}) DO UPDATE SET checked_at = EXCLUDED.checked_at, status = EXCLUDED.status,
        message = EXCLUDED.message, rules = EXCLUDED.rules`.execute(tx);
  }
}

/** In one order, so that two checks do not wait for each other. */
const byUuid = (one: KeptResult, other: KeptResult): number => (one.objectUuid < other.objectUuid ? -1 : 1);

export const findResults = (executor: Executor, subject: Subject, uuids: readonly string[]): Promise<ResultRow[]> =>
  tables(executor)
    .selectFrom('compliance_result')
    .selectAll()
    .where(columnOf[subject], '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

export type NewRun = Pick<RunRow, 'uuid' | 'subject' | 'scope' | 'started_at' | 'started_by' | 'total'>;

export async function insertRun(tx: Executor, run: NewRun): Promise<void> {
  await sql`
    INSERT INTO compliance_run (uuid, subject, scope, started_at, started_by, total)
    VALUES (${run.uuid}, ${run.subject}, ${JSON.stringify(run.scope)}::jsonb, ${run.started_at}, ${run.started_by},
      ${run.total})`.execute(tx);
}

export interface Lease {
  readonly nodeId: string;
  readonly leaseS: number;
}

/** The oldest open run that no other node works on. The time of leases is that of the database. */
export async function leaseRun(executor: Executor, { nodeId, leaseS }: Lease): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    UPDATE compliance_run
    SET leased_by = ${nodeId}, leased_until = clock_timestamp() + make_interval(secs => ${leaseS})
    WHERE uuid = (
      SELECT uuid FROM compliance_run
      WHERE finished_at IS NULL AND (leased_by = ${nodeId} OR leased_until IS NULL OR leased_until < clock_timestamp())
      ORDER BY started_at, uuid LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(executor);
  return rows[0];
}

export interface Step extends Lease {
  readonly uuid: string;
  readonly from: string | null;
  readonly to: string;
  readonly processed: number;
}

/** In the transaction that keeps the results; false when another node has taken the run over. */
export async function advanceRun(tx: Executor, step: Step): Promise<boolean> {
  const { rows } = await sql`
    UPDATE compliance_run
    SET cursor = ${step.to}::uuid, processed = processed + ${step.processed},
      leased_until = clock_timestamp() + make_interval(secs => ${step.leaseS})
    WHERE uuid = ${step.uuid}::uuid AND leased_by = ${step.nodeId} AND finished_at IS NULL
      AND cursor IS NOT DISTINCT FROM ${step.from}::uuid
    RETURNING uuid`.execute(tx);
  return rows.length > 0;
}

export const finishRun = (executor: Executor, uuid: string, at: Date): Promise<unknown> =>
  tables(executor)
    .updateTable('compliance_run')
    .set({ finished_at: at, leased_by: null, leased_until: null })
    .where('uuid', '=', uuid)
    .execute();

/** Runs that ended before. */
export const forgetRuns = (executor: Executor, before: Date): Promise<unknown> =>
  tables(executor).deleteFrom('compliance_run').where('finished_at', '<', before).execute();
