// Queries for recorded evaluations.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { EvaluationRow, RunRow, TriggerSetRow } from '../engine/tables.ts';

/** Evaluation with the triggers that it evaluated. */
export type EvaluationWithSet = Omit<EvaluationRow, 'set_digest'> &
  Pick<TriggerSetRow, 'event' | 'association_resource' | 'fields' | 'triggers'>;

export interface EvaluationChoice {
  readonly uuid?: string | undefined;
  readonly objectUuid?: string | undefined;
  readonly triggerUuid?: string | undefined;
  readonly associationObjectUuid?: string | undefined;
  readonly matched?: boolean | undefined;
}

/** Returns evaluations, newest first. */
export async function findEvaluations(
  executor: Executor,
  choice: EvaluationChoice,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly EvaluationWithSet[]> {
  const newest = sql`ORDER BY e.evaluated_at DESC, e.uuid DESC`;
  // For a single trigger, the newest evaluations of each set that contains it are read, which matches the index order.
  const rows = sql`workflow_trigger_set s JOIN ${
    choice.triggerUuid === undefined
      ? sql`workflow_evaluation e ON e.set_digest = s.digest WHERE ${conditionOf(choice)}`
      : sql`LATERAL (SELECT * FROM workflow_evaluation e WHERE e.set_digest = s.digest AND ${conditionOf(choice)}
          ${newest} LIMIT ${offset + limit}) e ON true WHERE ${holdsTrigger(choice.triggerUuid)}`
  }`;
  const found = await sql<EvaluationWithSet>`
    SELECT e.uuid, e.event_uuid, e.association_object_uuid, e.object_uuid, e.reference_uuid, e.outcomes, e.inputs,
      e.evaluated_at, s.event, s.association_resource, s.fields, s.triggers
    FROM ${rows} ${newest} LIMIT ${limit} OFFSET ${offset}`.execute(executor);
  return found.rows;
}

/** Stops counting at `most`. */
export async function countEvaluations(executor: Executor, choice: EvaluationChoice, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM workflow_evaluation e JOIN workflow_trigger_set s ON s.digest = e.set_digest
      WHERE ${conditionOf(choice)} LIMIT ${most}) AS counted`.execute(executor);
  return rows[0]?.count ?? 0;
}

function conditionOf(choice: EvaluationChoice): RawBuilder<SqlBool> {
  const { uuid, objectUuid, triggerUuid, associationObjectUuid, matched } = choice;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (uuid !== undefined) conditions.push(sql`e.uuid = ${uuid}`);
  if (objectUuid !== undefined) conditions.push(sql`e.object_uuid = ${objectUuid}`);
  if (associationObjectUuid !== undefined) conditions.push(sql`e.association_object_uuid = ${associationObjectUuid}`);
  if (triggerUuid !== undefined) conditions.push(holdsTrigger(triggerUuid));
  if (triggerUuid !== undefined && matched === true) conditions.push(isOfTrigger(triggerUuid));
  else if (matched === true) conditions.push(sql`0 = ANY (e.outcomes)`);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** Matches trigger sets that contain the trigger. */
const holdsTrigger = (uuid: string): RawBuilder<SqlBool> =>
  sql`s.triggers @> ${JSON.stringify([{ trigger: { uuid: uuid.toLowerCase() } }])}::jsonb`;

const isOfTrigger = (triggerUuid: string): RawBuilder<SqlBool> => sql`EXISTS (
  SELECT FROM jsonb_array_elements(s.triggers) WITH ORDINALITY AS asked (value, place)
  WHERE asked.value -> 'trigger' ->> 'uuid' = ${triggerUuid.toLowerCase()} AND e.outcomes[asked.place] = 0)`;

export type RunOfEvaluation = Pick<RunRow, 'evaluation_uuid' | 'trigger_index' | 'state' | 'step' | 'problems'>;

export async function findRuns(
  executor: Executor,
  evaluationUuids: readonly string[],
): Promise<readonly RunOfEvaluation[]> {
  const { rows } = await sql<RunOfEvaluation>`
    SELECT evaluation_uuid, trigger_index, state, step, problems FROM workflow_run
    WHERE evaluation_uuid = ANY (${evaluationUuids}::uuid[])`.execute(executor);
  return rows;
}

export interface SummaryCounts {
  readonly evaluated: number;
  readonly matched: number;
  readonly ignored: number;
}

/** Counts the outcomes for the objects that were evaluated by one association's triggers. */
export async function countOutcomes(executor: Executor, associationObjectUuid: string): Promise<SummaryCounts> {
  const { rows } = await sql<SummaryCounts>`
    SELECT count(*)::int AS evaluated, count(*) FILTER (WHERE 0 = ANY (outcomes))::int AS matched,
      count(*) FILTER (WHERE object_uuid IS NULL)::int AS ignored
    FROM workflow_evaluation WHERE association_object_uuid = ${associationObjectUuid}`.execute(executor);
  return rows[0] ?? { evaluated: 0, matched: 0, ignored: 0 };
}
