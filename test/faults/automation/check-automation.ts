// Invariants of automation after faults, checked in the tables and against what recipients received.
import { runChecks, type Check, type Queryable, type Violation } from '../check-database.ts';
import { STEPS } from './declare.ts';
import type { Receipt } from './webhook-receiver.ts';

/** Common name prefix of the load's certificates. */
export const LOAD = 'fault-';

/** Trigger events for the load's certificates. */
const listened = `listened AS (SELECT l.uuid, l.event, l.object_uuid, l.data FROM event_log l JOIN certificate c ON c.uuid = l.object_uuid
  WHERE l.event = 'certificate_discovered' OR (l.event = 'certificate_action_performed' AND c.common_name LIKE '${LOAD}%'))`;
const reportedCount = (action: string): string =>
  `(SELECT count(*) FROM listened l WHERE l.object_uuid = c.uuid AND l.data ->> 'action' = '${action}')`;
const run = `workflow_run r`;
const cause = `r.uuid || ' ${STEPS - 1}'`;
const group = `(SELECT uuid FROM object_group WHERE name = 'automated')`;
const automated = `automated AS (SELECT DISTINCT object_uuid AS uuid FROM ${run})`;
const historyOf = (event: string): string =>
  `(SELECT count(*) FROM certificate_history h WHERE h.certificate_uuid = a.uuid AND h.event = '${event}' AND h.status = 'SUCCESS')`;

/** Query for pending work: one column `it`, by kind of work. */
export const PENDING_WORK = `SELECT 'run ' || uuid AS it FROM workflow_run WHERE state = 'waiting'
  UNION ALL SELECT 'delivery ' || uuid FROM notification_delivery WHERE state = 'waiting'
  UNION ALL SELECT 'event ' || event FROM event_outbox
  UNION ALL SELECT 'follower ' || f.name FROM event_follower f CROSS JOIN event_log_head h WHERE f.position <> h.position
  UNION ALL SELECT 'discovery ' || uuid FROM discovery WHERE ended_at IS NULL
  UNION ALL SELECT 'operation ' || uuid FROM certificate_operation WHERE state IN ('pending', 'undecided')`;

const checks: readonly Check[] = [
  {
    invariant: 'W1',
    what: 'event that was not evaluated exactly once',
    sql: `WITH ${listened} SELECT l.uuid::text AS it FROM listened l
          WHERE (SELECT count(*) FROM workflow_evaluation e WHERE e.event_uuid = l.uuid) <> 1`,
  },
  {
    invariant: 'W1',
    what: 'issued or revoked without exactly one event',
    sql: `WITH ${listened} SELECT c.uuid::text AS it FROM certificate c WHERE c.common_name LIKE '${LOAD}%'
          AND ((c.state IN ('issued', 'revoked') AND ${reportedCount('issue')} <> 1) OR (c.state = 'revoked' AND ${reportedCount('revoke')} <> 1))`,
  },
  {
    invariant: 'W1',
    what: 'discovered without exactly one event',
    sql: `WITH ${listened} SELECT d.uuid::text AS it FROM discovery_certificate d JOIN certificate c ON c.fingerprint = d.fingerprint
          WHERE d.newly_found AND (SELECT count(*) FROM listened l WHERE l.object_uuid = c.uuid AND l.event = 'certificate_discovered'
            AND l.data ->> 'discoveryUuid' = d.discovery_uuid::text) <> 1`,
  },
  {
    invariant: 'W2',
    what: 'matching conditions without exactly one run',
    sql: `SELECT e.uuid::text AS it FROM workflow_evaluation e WHERE 0 = ANY (e.outcomes)
          AND (SELECT count(*) FROM ${run} WHERE r.evaluation_uuid = e.uuid) <> 1`,
  },
  {
    invariant: 'W2',
    what: 'run that ended without all of its steps',
    sql: `SELECT r.uuid || ' ' || r.problems AS it FROM ${run} WHERE r.state = 'ended' AND (r.step <> ${STEPS} OR r.problems <> '[]')`,
  },
  {
    invariant: 'W2',
    what: 'missing effect of a completed run',
    sql: `WITH ${automated} SELECT c.uuid::text AS it FROM automated a JOIN certificate c USING (uuid) WHERE c.owner_username IS DISTINCT FROM 'keeper'
          OR NOT EXISTS (SELECT FROM group_membership m WHERE m.object_uuid = c.uuid AND m.group_uuid = ${group})`,
  },
  {
    invariant: 'W2',
    what: 'effect that was not recorded exactly once',
    sql: `WITH ${automated} SELECT a.uuid::text AS it FROM automated a WHERE ${historyOf('Update Group')} <> 1 OR ${historyOf('Update Owner')} <> 1`,
  },
  {
    invariant: 'W3',
    what: 'run without exactly one delivery',
    sql: `SELECT r.uuid::text AS it FROM ${run} WHERE r.state = 'ended'
          AND (SELECT count(*) FROM notification_delivery d WHERE d.cause = ${cause} || '/' || d.profile_uuid) <> 1`,
  },
  {
    invariant: 'W3',
    what: 'run without exactly one notification',
    sql: `SELECT r.uuid::text AS it FROM ${run} WHERE r.state = 'ended' AND (SELECT count(*) FROM notification n WHERE n.cause = ${cause}) <> 1`,
  },
  {
    invariant: 'W3',
    what: 'delivery without a run',
    sql: `SELECT d.cause AS it FROM notification_delivery d WHERE NOT EXISTS (SELECT FROM ${run} WHERE d.cause = ${cause} || '/' || d.profile_uuid)`,
  },
  { invariant: 'W5', what: 'for ever under way', sql: PENDING_WORK },
  {
    invariant: 'W5',
    what: 'event that was skipped',
    sql: `SELECT follower || ' ' || event_uuid || ' ' || problem AS it FROM event_set_aside`,
  },
];

export const checkAutomation = async (database: Queryable, receipts: readonly Receipt[]): Promise<Violation[]> => [
  ...(await runChecks(database, checks)),
  ...(await checkReceipts(database, receipts)),
];

/** Checks that everything arrived, and that repeats have the same identifier. */
async function checkReceipts(database: Queryable, receipts: readonly Receipt[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  const add = (what: string): void => void violations.push({ invariant: 'W4', what });
  const ids = new Set(receipts.map(({ id }) => id));
  const deliveries = await database.query<{ id: string; state: string; problem: string | null }>(
    'SELECT idempotency_key::text AS id, state, problem FROM notification_delivery',
  );
  for (const { id, state, problem } of deliveries) {
    if (state === 'failed') add(`abandoned delivery: ${id} ${problem ?? ''}`);
    if (state === 'delivered' && !ids.has(id)) add(`recorded as delivered, but not received: ${id}`);
  }
  const known = new Set(deliveries.map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) add(`received, but not recorded as sent: ${id}`);
  for (const [subject, same] of Map.groupBy(receipts, (receipt) => receipt.subject))
    if (new Set(same.map(({ id }) => id)).size > 1) add(`delivered under multiple identifiers: ${subject}`);
  return violations;
}
