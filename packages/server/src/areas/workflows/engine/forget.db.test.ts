// Old trigger evaluations are deleted in batches, except those with pending work.
import { testDatabase } from '@signetry/testkit/database';
import { expect, it } from 'vitest';
import { deleteOldEvaluations } from './store.ts';

const database = await testDatabase();
const OLD = new Date('2026-01-01T00:00:00Z');
const NEW = new Date('2026-06-01T00:00:00Z');
const before = new Date('2026-03-01T00:00:00Z');

const digest = (number: number) => Buffer.alloc(32, number);
const addSet = (number: number, at: Date) =>
  database.query(
    `INSERT INTO workflow_trigger_set (digest, event, fields, triggers, created_at)
     VALUES ($1, 'certificate_discovered', '[]', '[]', $2)`,
    [digest(number), at],
  );
/** Adds evaluations with one run each. */
const addEvaluations = (facts: { set: number; count: number; at: Date; state: 'waiting' | 'ended' }) =>
  database.query(
    `WITH evaluation AS (
       INSERT INTO workflow_evaluation (uuid, set_digest, outcomes, inputs, evaluated_at)
       SELECT gen_random_uuid(), $1, '{0}', '[]', $3 FROM generate_series(1, $2::int) RETURNING uuid)
     INSERT INTO workflow_run (uuid, evaluation_uuid, trigger_index, trigger_uuid, object_uuid, state, step, problems,
       attempts, due_at, created_at)
     SELECT gen_random_uuid(), uuid, 0, gen_random_uuid(), gen_random_uuid(), $4, 0, '[]', 0, $3, $3 FROM evaluation`,
    [digest(facts.set), facts.count, facts.at, facts.state],
  );
const left = () =>
  database.query(
    `SELECT get_byte(e.set_digest, 0) AS set, r.state, count(*)::int FROM workflow_evaluation e
     JOIN workflow_run r ON r.evaluation_uuid = e.uuid GROUP BY 1, 2 ORDER BY 1, 2`,
  );

it('old evaluations are deleted with their runs and sets, one batch at a time, and waiting runs are kept', async () => {
  await addSet(1, OLD);
  await addSet(2, OLD);
  await addSet(3, NEW);
  await addEvaluations({ set: 1, count: 25, at: OLD, state: 'ended' });
  await addEvaluations({ set: 2, count: 3, at: OLD, state: 'ended' });
  await addEvaluations({ set: 2, count: 2, at: OLD, state: 'waiting' });
  await addEvaluations({ set: 3, count: 4, at: NEW, state: 'ended' });
  const deleted = [];
  do deleted.push(await deleteOldEvaluations(database.executor, { before, limit: 10 }));
  while (deleted.at(-1) === 10);
  expect(deleted).toEqual([10, 10, 8]);
  expect(await left()).toEqual([
    { set: 2, state: 'waiting', count: 2 },
    { set: 3, state: 'ended', count: 4 },
  ]);
  expect(await database.query('SELECT get_byte(digest, 0) AS set FROM workflow_trigger_set ORDER BY 1')).toEqual([
    { set: 2 },
    { set: 3 },
  ]);
  expect(await database.query('SELECT count(*)::int FROM workflow_run')).toEqual([{ count: 6 }]);
});
