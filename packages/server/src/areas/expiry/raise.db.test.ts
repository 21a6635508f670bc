// Expiry thresholds of certificates, with a clock that the tests set.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { insertRows, type RowFacts } from '../certificates/testing/certificate-rows.ts';
import type { CertificateExpiring } from './events.ts';
import { createExpiryRaiser } from './raise.ts';
import { groupThresholds, raProfileThresholds } from './store.ts';

const START = new Date('2026-11-23T10:00:00Z');
const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(START.getTime() + days * DAY_MS);

let database: Database;
let platform: Platform;
let clock: ReturnType<typeof createFakeClock>;
let platformDays: readonly number[];
const [profile, quiet, group] = [newUuid(), newUuid(), newUuid()];
const { signal } = new AbortController();

beforeAll(async () => {
  database = await testDatabase();
  platform = testPlatform(database);
  platform.events.subscribe({ event: 'certificate_expiring', queue: 'expiring', handle: async () => {} });
  await database.query(
    `INSERT INTO ra_profile (uuid, name, enabled, created_at, updated_at)
     VALUES ($1, 'web', true, now(), now()), ($2, 'quiet', true, now(), now())`,
    [profile, quiet],
  );
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'shop', now(), now())`,
    [group],
  );
});
beforeEach(async () => {
  await database.query('DELETE FROM certificate');
  await database.query('DELETE FROM event_outbox');
  await database.query('DELETE FROM expiry_threshold_of_ra_profile');
  await database.query('DELETE FROM expiry_threshold_of_group');
  clock = createFakeClock(START);
  platformDays = [30, 14, 7, 1];
});

const raise = () =>
  createExpiryRaiser({ platform: { ...platform, clock }, platformDays: async () => platformDays })(signal);
const ending = (name: string, days: number, facts: Partial<RowFacts> = {}): RowFacts => ({
  common_name: name,
  not_after: inDays(days),
  ...facts,
});

/** Returns the events since the last call: names with the threshold. */
async function reportedEvents(): Promise<string[]> {
  const rows = await database.query<{ told: string }>(
    `WITH gone AS (DELETE FROM event_outbox RETURNING payload)
     SELECT c.common_name || ' ' || (payload::jsonb ->> 'thresholdDays') AS told
     FROM gone JOIN certificate c ON c.uuid::text = payload::jsonb ->> 'certificateUuid' ORDER BY told`,
  );
  return rows.map((row) => row.told);
}

describe('certificates that expire soon', () => {
  it('are reported once per threshold, at the smallest threshold reached', async () => {
    await insertRows(database, [ending('first seen late', 3), ending('soon', 29.5), ending('later', 31)]);
    expect(await raise()).toBe(2);
    expect(await reportedEvents()).toEqual(['first seen late 7', 'soon 30']);
    expect(await raise()).toBe(0);
    clock.advance(16 * DAY_MS);
    expect(await raise()).toBe(2);
    expect(await reportedEvents()).toEqual(['later 30', 'soon 14']);
  });

  it('are not reported again if the clock is set back or a longer threshold is added', async () => {
    await insertRows(database, [ending('soon', 6)]);
    await raise();
    expect(await reportedEvents()).toEqual(['soon 7']);
    clock = createFakeClock(inDays(-20));
    platformDays = [60, 30, 14, 7, 1];
    expect(await raise()).toBe(0);
    clock = createFakeClock(inDays(5.5));
    expect(await raise()).toBe(1);
    expect(await reportedEvents()).toEqual(['soon 1']);
  });

  it('are skipped if they are archived, revoked, not issued, expired or replaced', async () => {
    const account = newUuid();
    const acme = { protocol: 'acme', protocol_account_uuid: account, names: { dNSName: ['a.example'] } } as const;
    const rows = await insertRows(database, [
      ending('archived', 3, { archived: true }),
      ending('revoked', 3, { state: 'revoked' }),
      ending('requested', 3, { state: 'requested', fingerprint: null }),
      ending('ended', -1),
      ending('renewed', 3),
      ending('renewed', 300),
      ending('renewal failed', 3),
      ending('renewal failed', 300, { state: 'failed' }),
      ending('of a client', 3, acme),
      ending('of a client', 300, { ...acme, not_before: inDays(-1) }),
      ending('of another client', 3, { ...acme, protocol_account_uuid: newUuid() }),
    ]);
    const [, , , , renewed, successor, failing, failed] = rows.map(({ uuid }) => uuid);
    await database.query(
      `INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
       VALUES ($1, $2, 'renewal', now()), ($3, $4, 'pending', now())`,
      [successor, renewed, failed, failing],
    );
    await raise();
    expect(await reportedEvents()).toEqual(['of another client 7', 'renewal failed 7']);
  });

  it('are reported at the thresholds of their RA profile and groups, or at those of the platform if there are none', async () => {
    await raProfileThresholds.keep(database.executor, profile, [60]);
    await raProfileThresholds.keep(database.executor, quiet, []);
    await groupThresholds.keep(database.executor, group, [3]);
    const [, , both] = await insertRows(database, [
      ending('of the profile', 20, { ra_profile_uuid: profile }),
      ending('quiet', 3, { ra_profile_uuid: quiet }),
      ending('of both', 2, { ra_profile_uuid: profile }),
      ending('of none', 20),
    ]);
    await database.query(
      `INSERT INTO group_membership (object_resource, object_uuid, group_uuid) VALUES ('certificates', $1, $2)`,
      [both?.uuid, group],
    );
    await raise();
    expect(await reportedEvents()).toEqual(['of both 3', 'of none 30', 'of the profile 60']);
  });

  it('are reported with the details that notifications need', async () => {
    const [row] = await insertRows(database, [ending('web', 3, { ra_profile_uuid: profile, issuer_dn: 'CN=CA' })]);
    await raise();
    const [event] = await database.query<{ payload: string }>('SELECT payload::text FROM event_outbox');
    const expected: Partial<CertificateExpiring> = {
      certificateUuid: row?.uuid ?? '',
      fingerprint: row?.fingerprint ?? '',
      subjectDn: 'CN=web',
      issuerDn: 'CN=CA',
      raProfileUuid: profile,
      raProfileName: 'web',
      notBefore: '2026-01-01T00:00:00.000Z',
      expiresAt: inDays(3).toISOString(),
      thresholdDays: 7,
    };
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject(expected);
  });

  it('are reported only once by concurrent checks', async () => {
    await insertRows(
      database,
      Array.from({ length: 200 }, (_, place) => ending(`certificate ${place}`, 3)),
    );
    const counts = await Promise.all([raise(), raise(), raise()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
    expect(await reportedEvents()).toHaveLength(200);
  });
});
