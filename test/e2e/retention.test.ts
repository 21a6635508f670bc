// Everything that grows is kept for a configured time, or for a reason stated here. Old records are removed in small
// batches, with an audit record; evidence is kept unless an administrator decides otherwise.
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, vi } from 'vitest';
import { RETAINED_TABLES } from './testing/retained-tables.ts';

const server = sharedTestServer();
const soon = { timeout: 30_000, interval: 100 };
const policies = () => server.running.areas.all.flatMap(({ retentionPolicies }) => retentionPolicies ?? []);

/** Tables with a timestamp, by schema and name, with the parent table if their rows are deleted with its rows. */
const TABLES = `
  SELECT DISTINCT CASE c.table_schema WHEN 'public' THEN '' ELSE c.table_schema || '.' END || c.table_name AS name,
    (SELECT p.relname FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
     WHERE f.contype = 'f' AND f.confdeltype = 'c' AND t.relname = c.table_name
       AND t.relnamespace = c.table_schema::regnamespace LIMIT 1) AS parent
  FROM information_schema.columns c JOIN information_schema.tables b USING (table_schema, table_name)
  WHERE b.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
    AND (c.data_type LIKE 'timestamp%' OR c.data_type = 'date') ORDER BY 1`;

describe('growing tables', () => {
  it('have a retention policy, or a stated reason to be kept', async () => {
    const found = await server.running.platform.database.query<{ name: string; parent: string | null }>(TABLES);
    const ofPolicies = new Set(policies().flatMap(({ tables }) => tables));
    const isKept = (name: string): boolean =>
      Object.keys(RETAINED_TABLES).some((kept) => (kept.endsWith('.') ? name.startsWith(kept) : name === kept));
    const unexplained = found.filter(({ name, parent }) => !ofPolicies.has(name) && !isKept(name) && parent === null);
    expect(found.length).toBeGreaterThan(100);
    expect(unexplained.map(({ name }) => name)).toEqual([]);
    const names = found.map(({ name }) => name);
    const gone = Object.keys(RETAINED_TABLES).filter(
      (kept) => !names.some((name) => (kept.endsWith('.') ? name.startsWith(kept) : name === kept)),
    );
    expect(gone).toEqual([]);
    expect([...ofPolicies].filter((name) => RETAINED_TABLES[name] !== undefined)).toEqual([]);
  });
});

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  server.running.platform.database.query<Row>(text, values);
const count = async (from: string): Promise<number> =>
  (await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`))[0]?.count ?? 0;

/** Returns the audit records of removals. */
const removals = async (): Promise<readonly string[]> =>
  (
    await query<{ what: string }>(
      `SELECT operation_data ->> 'removed' AS what FROM audit_record WHERE operation_data ->> 'removed' IS NOT NULL ORDER BY id`,
    )
  ).map(({ what }) => what);

/** Runs the hourly removal of old records. */
async function removeOld(): Promise<void> {
  const { jobs, database } = server.running.platform;
  await jobs.enqueue(database.executor, 'retention', {});
  jobs.wake('retention');
}

const addDeliveries = (state: string, rows: number, ageDays: number) =>
  query(
    `INSERT INTO notification_delivery (uuid, cause, instance_name, profile_name, profile_version, event, resource,
       recipients, data, idempotency_key, state, attempts, raised_at, queued_at, next_at, ended_at)
     SELECT gen_random_uuid(), gen_random_uuid()::text, 'one', 'one', 1, 'discovery_finished', 'discoveries', '[]', '{}',
       gen_random_uuid(), $1, 1, raised, raised, CASE WHEN $1 = 'waiting' THEN raised + interval '10 years' END,
       CASE WHEN $1 <> 'waiting' THEN raised END
     FROM (SELECT now() - $3::int * interval '1 day' AS raised FROM generate_series(1, $2::int)) AS rows`,
    [state, rows, ageDays],
  );

const addRuns = (rows: number, ageDays: number) =>
  query(
    `INSERT INTO scheduled_job_run (uuid, job_uuid, started_at, ended_at, status)
     SELECT gen_random_uuid(), (SELECT uuid FROM scheduled_job ORDER BY name LIMIT 1), ended, ended, 'success'
     FROM (SELECT now() - $2::int * interval '1 day' AS ended FROM generate_series(1, $1::int)) AS rows`,
    [rows, ageDays],
  );

const addHistory = (rows: number, ageDays: number) =>
  query(
    `INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, created_at, created_by)
     SELECT gen_random_uuid(), (SELECT uuid FROM certificate LIMIT 1), 'Upload Certificate', 'SUCCESS', 'old',
       now() - $2::int * interval '1 day', 'somebody' FROM generate_series(1, $1::int)`,
    [rows, ageDays],
  );

/** Adds discoveries with the same or different parameters, with found certificates and unreadable results. */
const addDiscoveries = (name: string, ageDays: number, found: number) =>
  query(
    `WITH added AS (
       INSERT INTO discovery (uuid, name, kind, connector_name, asked_for, status, connector_status, started_at, ended_at,
         started_by, page_size, due_by)
       SELECT gen_random_uuid(), $1, 'IP', 'none', split_part($1, ' ', 1), 'completed', 'completed', ended, ended, 'somebody', 1, ended
       FROM (SELECT now() - $2::int * interval '1 day' AS ended) AS times RETURNING uuid),
     found AS (
       INSERT INTO discovery_certificate (discovery_uuid, fingerprint, uuid, place, newly_found, metadata_digest)
       SELECT added.uuid, encode(sha256(int8send(n)), 'hex'), gen_random_uuid(), n, true, 0 FROM added, generate_series(1, $3::int) AS n)
     INSERT INTO discovery_finding (discovery_uuid, page, place, provider_id, reason, seen_at)
     SELECT added.uuid, 1, n, 'one', 'unreadable', now() FROM added, generate_series(1, 3) AS n`,
    [name, ageDays, found],
  );

describe('retention', () => {
  it('removes old records in batches as specified in the settings, with one audit record per kind', async () => {
    await query(`DELETE FROM scheduled_job_run`);
    await addRuns(1_200, 91);
    await addRuns(3, 89);
    await addDeliveries('delivered', 1_200, 31);
    await addDeliveries('failed', 10, 31);
    await addDeliveries('waiting', 5, 31);
    await addDeliveries('delivered', 7, 29);
    await addHistory(10, 3_000);
    const kept = await count('certificate_history');
    await removeOld();
    await vi.waitFor(async () => expect(await count('notification_delivery')).toBe(12), soon);
    await vi.waitFor(async () => expect(await count('scheduled_job_run')).toBe(3), soon);
    expect((await removals()).toSorted()).toEqual(['job runs', 'notification deliveries']);
    expect(await count('certificate_history')).toBe(kept);
  });

  it("keeps a job's last run, regardless of its age", async () => {
    await query(`DELETE FROM scheduled_job_run`);
    await addRuns(2, 200);
    await removeOld();
    await vi.waitFor(async () => expect(await count('scheduled_job_run')).toBe(1), soon);
  });

  it('deletes records that are kept forever by default if an administrator specifies a period', async () => {
    const { retention } = server.client;
    const before = await retention.getRetentionSettings();
    expect(before).toMatchObject({
      certificateHistoryKeptDays: null,
      keyEventsKeptDays: null,
      auditRecordsKeptDays: null,
    });
    // As sent by a client of an earlier version: settings that it does not know remain unchanged.
    const { eventsKeptDays, evaluationsKeptDays, deliveriesKeptDays, notificationsKeptDays } = before;
    const known = { eventsKeptDays, evaluationsKeptDays, deliveriesKeptDays, notificationsKeptDays };
    expect(await retention.setRetentionSettings({ body: known })).toEqual(before);
    await retention.setRetentionSettings({ body: { ...known, certificateHistoryKeptDays: 365 } });
    await removeOld();
    await vi.waitFor(async () => expect(await count(`certificate_history WHERE message = 'old'`)).toBe(0), soon);
    expect(await removals()).toContain('certificate history entries');
    expect(await count('certificate_history')).toBeGreaterThan(0);
  });

  it('removes discoveries that have since been repeated, along with their results', async () => {
    const { retention } = server.client;
    await addDiscoveries('same 1', 300, 1_200);
    await addDiscoveries('same 2', 200, 4);
    await addDiscoveries('same 3', 100, 5);
    await addDiscoveries('other 1', 300, 2);
    await retention.setRetentionSettings({
      body: { ...(await retention.getRetentionSettings()), discoveriesKeptDays: 90 },
    });
    await removeOld();
    await vi.waitFor(async () => expect(await count('discovery')).toBe(2), soon);
    const left = await query<{ name: string }>('SELECT name FROM discovery ORDER BY name');
    expect(left.map(({ name }) => name)).toEqual(['other 1', 'same 3']);
    expect([await count('discovery_certificate'), await count('discovery_finding')]).toEqual([7, 6]);
    expect(await removals()).toContain('superseded discoveries');
  });
});
