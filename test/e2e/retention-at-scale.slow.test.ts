// Old rows are removed in batches that read no more than they remove, from the first to the last of 300,000 rows.
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { externalDatabaseArguments } from '@signetry/testkit/external-database';
import { startTestServer } from '@signetry/testkit/platform';
import { explainStatements } from '@signetry/testkit/statement-plans';
import { expect, it, onTestFinished, vi } from 'vitest';

const ROWS = 300_000;
const CHUNK = 20_000;
const BATCH = 500;
/** Reading the row, its index entry, and a check for a newer row. */
const MOST_ROWS = 4 * BATCH;
const MOST_BUFFERS = 30 * BATCH;

const FILL = `
  WITH job AS (SELECT uuid FROM scheduled_job ORDER BY name LIMIT 1)
  INSERT INTO scheduled_job_run (uuid, job_uuid, started_at, ended_at, status)
  SELECT gen_random_uuid(), job.uuid, ended, ended, 'success'
  FROM job, generate_series($1::int, $2::int) AS n, LATERAL (SELECT now() - interval '1000 days' + n * interval '1 minute' AS ended) AS times`;
const FILL_HISTORY = `
  INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, created_at, created_by)
  SELECT gen_random_uuid(), (SELECT uuid FROM certificate LIMIT 1), 'Upload Certificate', 'SUCCESS', 'old',
    now() - interval '1000 days' + n * interval '1 minute', 'somebody' FROM generate_series($1::int, $2::int) AS n`;

it('retention reads no more rows than it removes', { timeout: 900_000 }, async () => {
  const { database, connection } = await testDatabaseWithConnection();
  const explained = await explainStatements(connection);
  onTestFinished(() => explained.close());
  const { client, running } = await startTestServer({ args: externalDatabaseArguments(explained.connection) });
  for (let first = 1; first <= ROWS; first += CHUNK) {
    await database.query(FILL, [first, first + CHUNK - 1]);
    await database.query(FILL_HISTORY, [first, first + CHUNK - 1]);
  }
  await database.query('ANALYZE scheduled_job_run, certificate_history');
  const settings = await client.retention.getRetentionSettings();
  await client.retention.setRetentionSettings({ body: { ...settings, certificateHistoryKeptDays: 365 } });
  explained.take();
  await running.platform.jobs.enqueue(database.executor, 'retention', {});
  await vi.waitFor(
    async () => {
      expect(await database.query(`SELECT FROM certificate_history WHERE message = 'old' LIMIT 1`)).toEqual([]);
      expect(await database.query('SELECT FROM scheduled_job_run OFFSET 1 LIMIT 1')).toEqual([]);
    },
    { timeout: 600_000, interval: 1_000 },
  );
  const removals = explained
    .take()
    .filter(({ text }) => /^DELETE FROM (scheduled_job_run|certificate_history)/.test(text));
  expect(removals.length).toBeGreaterThanOrEqual((2 * ROWS) / BATCH);
  expect(removals.filter(({ rowsRead, buffers }) => rowsRead > MOST_ROWS || buffers > MOST_BUFFERS)).toEqual([]);
});
