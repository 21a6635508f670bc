// Engine evaluations, their results, and pending actions.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { EngineTables, EvaluationRow, RunRow, TriggerSetRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<EngineTables>();

/** Existing sets remain unchanged. */
export async function insertSets(tx: Executor, sets: readonly TriggerSetRow[]): Promise<void> {
  if (sets.length === 0) return;
  await tables(tx)
    .insertInto('workflow_trigger_set')
    .values(
      sets.map((set) => ({
        ...set,
        // The driver would convert an array to a PostgreSQL array.
        fields: JSON.stringify(set.fields) as never,
        triggers: JSON.stringify(set.triggers) as never,
      })),
    )
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute();
}

export async function insertEvaluations(tx: Executor, rows: readonly EvaluationRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ set_digest: digest, ...row }) => ({ ...row, set_digest: digest.toString('base64') }));
  await sql`
    INSERT INTO workflow_evaluation (uuid, set_digest, event_uuid, association_object_uuid, object_uuid, reference_uuid,
      outcomes, inputs, evaluated_at)
    SELECT uuid, decode(set_digest, 'base64'), event_uuid, association_object_uuid, object_uuid, reference_uuid,
      outcomes, inputs, evaluated_at
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS row (uuid uuid, set_digest text, event_uuid uuid,
      association_object_uuid uuid, object_uuid uuid, reference_uuid uuid, outcomes smallint[], inputs jsonb,
      evaluated_at timestamptz)`.execute(tx);
}

export type NewRun = Pick<RunRow, 'uuid' | 'evaluation_uuid' | 'trigger_index' | 'trigger_uuid' | 'object_uuid'>;

export async function insertRuns(tx: Executor, runs: readonly NewRun[], at: Date): Promise<void> {
  if (runs.length === 0) return;
  await sql`
    INSERT INTO workflow_run (uuid, evaluation_uuid, trigger_index, trigger_uuid, object_uuid, state, step, problems,
      attempts, due_at, created_at)
    SELECT uuid, evaluation_uuid, trigger_index, trigger_uuid, object_uuid, 'waiting', 0, '[]', 0, ${at}, ${at}
    FROM jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) AS row (uuid uuid, evaluation_uuid uuid,
      trigger_index smallint, trigger_uuid uuid, object_uuid uuid)`.execute(tx);
}

/** A run with related data of its evaluation. */
export type ClaimedRun = Pick<RunRow, 'uuid' | 'trigger_index' | 'trigger_uuid' | 'object_uuid' | 'step' | 'attempts'> &
  Pick<EvaluationRow, 'event_uuid' | 'set_digest'>;

/**
 * Claims due runs, which other nodes skip until `until`. A run that is due after `never`, the latest time to which a
 * run can be postponed, was postponed before the clock was set back, and is claimed as well.
 */
export async function claimRuns(
  executor: Executor,
  facts: {
    readonly lease: string;
    readonly now: Date;
    readonly until: Date;
    readonly never: Date;
    readonly limit: number;
  },
): Promise<readonly ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`
    UPDATE workflow_run r SET lease = ${facts.lease}, due_at = ${facts.until}, attempts = r.attempts + 1
    FROM workflow_evaluation e
    WHERE e.uuid = r.evaluation_uuid AND r.uuid IN (
      SELECT uuid FROM workflow_run WHERE state = 'waiting' AND (due_at <= ${facts.now} OR due_at > ${facts.never})
      ORDER BY due_at LIMIT ${facts.limit} FOR UPDATE SKIP LOCKED)
    RETURNING r.uuid, r.trigger_index, r.trigger_uuid, r.object_uuid, r.step, r.attempts, e.event_uuid, e.set_digest`.execute(
    executor,
  );
  return rows;
}

export const findSets = (executor: Executor, digests: readonly Buffer[]): Promise<TriggerSetRow[]> =>
  tables(executor)
    .selectFrom('workflow_trigger_set')
    .selectAll()
    .where('digest', '=', sql<Buffer>`ANY(${digests}::bytea[])`)
    .execute();

interface StepFacts {
  readonly uuid: string;
  readonly lease: string;
  /** Number of the performed or rejected step. */
  readonly step: number;
  readonly problem?: string | undefined;
}

/** Returns false if another node has taken over the run. */
export async function endStep(tx: Executor, { uuid, lease, step, problem }: StepFacts): Promise<boolean> {
  const problems = problem === undefined ? [] : [{ step, message: problem }];
  const { numAffectedRows } = await sql`
    UPDATE workflow_run SET step = ${step} + 1, problems = problems || ${JSON.stringify(problems)}::jsonb
    WHERE uuid = ${uuid} AND lease = ${lease} AND step = ${step} AND state = 'waiting'`.execute(tx);
  return numAffectedRows === 1n;
}

export async function endRun(
  executor: Executor,
  facts: { readonly uuid: string; readonly lease: string; readonly at: Date },
): Promise<void> {
  await sql`
    UPDATE workflow_run SET state = 'ended', ended_at = ${facts.at}, lease = NULL
    WHERE uuid = ${facts.uuid} AND lease = ${facts.lease}`.execute(executor);
}

/** Releases a run so that it is claimed again later. */
export async function postponeRun(
  executor: Executor,
  facts: { readonly uuid: string; readonly lease: string; readonly until: Date },
): Promise<void> {
  await sql`
    UPDATE workflow_run SET lease = NULL, due_at = ${facts.until}
    WHERE uuid = ${facts.uuid} AND lease = ${facts.lease} AND state = 'waiting'`.execute(executor);
}

/**
 * Returns how often the trigger acted, or will act, on the object in the hour before this run. The result does not
 * depend on when it is requested, or on later runs.
 */
export async function countEarlierRuns(executor: Executor, uuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM workflow_run r JOIN workflow_run earlier
      ON earlier.object_uuid = r.object_uuid AND earlier.trigger_uuid = r.trigger_uuid
        AND earlier.created_at > r.created_at - interval '1 hour'
        AND (earlier.created_at, earlier.uuid) < (r.created_at, r.uuid)
    WHERE r.uuid = ${uuid} AND (earlier.state = 'waiting' OR jsonb_array_length(earlier.problems) < earlier.step)`.execute(
    executor,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Deletes old evaluations and their runs, and then the sets that are no longer referenced. Returns the number of
 * deleted evaluations.
 */
export async function deleteOldEvaluations(
  executor: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM workflow_evaluation WHERE uuid IN (
      SELECT e.uuid FROM workflow_evaluation e WHERE e.evaluated_at < ${before}
        AND NOT EXISTS (SELECT FROM workflow_run r WHERE r.evaluation_uuid = e.uuid AND r.state = 'waiting')
      ORDER BY e.evaluated_at LIMIT ${limit})`.execute(executor);
  await sql`
    DELETE FROM workflow_trigger_set s WHERE s.created_at < ${before}
      AND NOT EXISTS (SELECT FROM workflow_evaluation e WHERE e.set_digest = s.digest)`.execute(executor);
  return Number(numAffectedRows ?? 0);
}
