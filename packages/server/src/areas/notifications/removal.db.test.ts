// How long notifications and deliveries are kept: what is old goes in batches, what still waits to be sent stays.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { expect, it } from 'vitest';
import { removeOld } from './removal.ts';

const database = await testDatabase();
const platform = testPlatform(database, { clock: createFakeClock() });
const settings = {
  retention: async () => ({
    eventsKeptDays: 30,
    evaluationsKeptDays: 90,
    deliveriesKeptDays: 30,
    notificationsKeptDays: 365,
  }),
};
const BATCH = 1_000;
const USER = '00000000-0000-7000-8000-0000000000c1';

const addDeliveries = (state: string, count: number, ageDays: number) =>
  database.query(
    `INSERT INTO notification_delivery (uuid, cause, instance_name, profile_name, profile_version, event, resource,
       recipients, data, idempotency_key, state, attempts, raised_at, queued_at, next_at, ended_at)
     SELECT gen_random_uuid(), gen_random_uuid()::text, 'one', 'one', 1, 'discovery_finished', 'discoveries', '[]', '{}',
       gen_random_uuid(), $1, 1, raised, raised, CASE WHEN $1 = 'waiting' THEN raised END,
       CASE WHEN $1 <> 'waiting' THEN raised END
     FROM (SELECT now() - $3::int * interval '1 day' AS raised FROM generate_series(1, $2::int)) AS rows`,
    [state, count, ageDays],
  );
const addNotifications = (count: number, ageDays: number) =>
  database.query(
    `INSERT INTO notification (uuid, user_uuid, cause, message, target_uuids, sent_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid()::text, 'told', '{}', now() - $3::int * interval '1 day'
     FROM generate_series(1, $2::int)`,
    [USER, count, ageDays],
  );
const count = async (table: string) =>
  (await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count;

it('what is older than is kept goes, a batch at a time, and nothing else', async () => {
  await database.query(
    `INSERT INTO platform_user (uuid, username, enabled, is_system, created_at, updated_at)
     VALUES ($1, 'reader', true, false, now(), now())`,
    [USER],
  );
  await addDeliveries('delivered', BATCH + 200, 31);
  await addDeliveries('failed', 100, 31);
  await addDeliveries('waiting', 50, 31);
  await addDeliveries('delivered', 30, 29);
  await addNotifications(300, 366);
  await addNotifications(20, 364);
  expect(await removeOld(platform, { settings })).toBe(true);
  expect(await count('notification_delivery')).toBe(380);
  expect(await count('notification')).toBe(20);
  expect(await removeOld(platform, { settings })).toBe(false);
  // What waits, and what is not old enough.
  expect(await count('notification_delivery')).toBe(80);
  expect(await count('notification')).toBe(20);
});
