// Recent trigger activity, from stored evaluations and runs.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';

export interface Activity {
  readonly uuid: string;
  readonly last_evaluated_at: Date | null;
  readonly last_matched_at: Date | null;
  /** Number of runs since the given time in which a step was rejected. */
  readonly failures: number;
}

/**
 * Number of newest evaluations per set that are searched for a match of an ignore trigger, since such a match leaves no
 * run.
 */
const LOOKED_AT = 10_000;

const asked = sql`jsonb_build_array(jsonb_build_object('trigger', jsonb_build_object('uuid', t.uuid)))`;

export async function findActivities(
  executor: Executor,
  triggerUuids: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, Activity>> {
  if (triggerUuids.length === 0) return new Map();
  const { rows } = await sql<Activity>`
    SELECT t.uuid, evaluated.at AS last_evaluated_at,
      CASE WHEN t.ignore_trigger THEN ignored.at ELSE run.at END AS last_matched_at, failed.count AS failures
    FROM workflow_trigger t
    CROSS JOIN LATERAL (
      SELECT max(newest.evaluated_at) AS at FROM workflow_trigger_set s CROSS JOIN LATERAL (
        SELECT e.evaluated_at FROM workflow_evaluation e WHERE e.set_digest = s.digest
        ORDER BY e.evaluated_at DESC LIMIT 1) newest
      WHERE s.triggers @> ${asked}) evaluated
    CROSS JOIN LATERAL (
      SELECT max(newest.evaluated_at) AS at FROM workflow_trigger_set s CROSS JOIN LATERAL (
        SELECT e.evaluated_at, e.outcomes FROM workflow_evaluation e WHERE e.set_digest = s.digest
        ORDER BY e.evaluated_at DESC LIMIT ${LOOKED_AT}) newest
      WHERE t.ignore_trigger AND s.triggers @> ${asked} AND EXISTS (
        SELECT FROM jsonb_array_elements(s.triggers) WITH ORDINALITY AS of (value, place)
        WHERE of.value -> 'trigger' ->> 'uuid' = t.uuid::text AND newest.outcomes[of.place] = 0)) ignored
    CROSS JOIN LATERAL (SELECT max(r.created_at) AS at FROM workflow_run r WHERE r.trigger_uuid = t.uuid) run
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM workflow_run r
      WHERE r.trigger_uuid = t.uuid AND r.created_at >= ${since} AND r.problems <> '[]') failed
    WHERE t.uuid = ANY (${triggerUuids}::uuid[])`.execute(executor);
  return new Map(rows.map((row) => [row.uuid, row]));
}
