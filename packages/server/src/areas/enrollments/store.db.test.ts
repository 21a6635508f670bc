import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';
import type { IssuingProfile } from '../ra-profiles/index.ts';
import { createEnrollmentStatements, type EnrollmentStatements } from './store.ts';
import type { EnrollmentRow } from './tables.ts';

const HOUR_MS = 3_600_000;

let test: TestInventory;
let statements: EnrollmentStatements;
let profile: IssuingProfile;

beforeAll(async () => {
  test = await createTestInventory();
  statements = createEnrollmentStatements(test.platform.database);
  profile = await test.addProfile('enrolled', {});
});

function enrollment(facts: Partial<EnrollmentRow> = {}): EnrollmentRow {
  const at = test.clock.now();
  return {
    uuid: newUuid(),
    protocol: 'cmp',
    profile_uuid: newUuid(),
    profile_name: 'enrolled',
    ra_profile_uuid: profile.uuid,
    transaction_id: newUuid(),
    kind: 'ir',
    requester: '',
    subject: 'CN=a.test',
    request_fingerprint: '',
    certificate_uuid: newUuid(),
    state: 'waiting',
    problem: null,
    address: null,
    detail: {},
    created_at: at,
    updated_at: at,
    ...facts,
  };
}

async function secret(): Promise<string> {
  const uuid = newUuid();
  const now = test.clock.now();
  await test.platform.database.query(
    `INSERT INTO enrollment_secret (uuid, protocol, ra_profile_uuid, reference, secret_hash, sealed_secret, created_at, created_by, expires_at)
     VALUES ($1::uuid, 'cmp', $2, $1::uuid::text, $1::uuid::text, '', $3, 'alice', $4)`,
    [uuid, profile.uuid, now, new Date(now.getTime() + HOUR_MS)],
  );
  return uuid;
}

/** Returns the enrollment request that used the secret, or undefined if none did. */
async function userOf(secretUuid: string): Promise<string | undefined> {
  const [row] = await test.platform.database.query<{ enrollment_uuid: string | null }>(
    'SELECT enrollment_uuid FROM enrollment_secret WHERE uuid = $1',
    [secretUuid],
  );
  return row?.enrollment_uuid ?? undefined;
}

const exists = async ({ uuid }: EnrollmentRow): Promise<boolean> =>
  (await test.platform.database.query('SELECT FROM enrollment WHERE uuid = $1', [uuid])).length === 1;

// Enrollment requests that start in the same event loop turn share one statement.
describe('enrollment requests that start at the same time', () => {
  it('all start if they have different transactions', async () => {
    const rows = [enrollment(), enrollment(), enrollment()];
    expect(await Promise.all(rows.map((row) => statements.begin(row)))).toEqual([true, true, true]);
    expect(await Promise.all(rows.map(exists))).toEqual([true, true, true]);
  });

  it('start a transaction only once, and leave the secrets of the other requests unused', async () => {
    const first = enrollment();
    const again = { ...first, uuid: newUuid(), certificate_uuid: newUuid() };
    const [own, other] = [await secret(), await secret()];
    const begun = await Promise.all([statements.begin(first, own), statements.begin(again, other)]);
    expect(begun).toEqual([true, false]);
    expect([await exists(first), await exists(again)]).toEqual([true, false]);
    expect([await userOf(own), await userOf(other)]).toEqual([first.uuid, undefined]);
  });

  it('use a secret only once, even in different transactions', async () => {
    const rows = [enrollment(), enrollment(), enrollment()];
    const shared = await secret();
    const begun = await Promise.all(rows.map((row) => statements.begin(row, shared)));
    expect(begun.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(rows.map(exists))).toEqual(begun);
    expect(await userOf(shared)).toBe(rows[begun.indexOf(true)]?.uuid);
  });

  it('are all stored if they are rejected, even in the same transaction', async () => {
    const first = enrollment({ certificate_uuid: null, state: 'refused', problem: 'no' });
    const again = { ...first, uuid: newUuid() };
    expect(await Promise.all([first, again].map((row) => statements.begin(row)))).toEqual([true, true]);
  });

  it('are each found by their own transaction ID', async () => {
    const rows = [enrollment(), enrollment()];
    await Promise.all(rows.map((row) => statements.begin(row)));
    const keys = [...rows, enrollment()].map(
      ({ protocol, profile_uuid: profileUuid, transaction_id: transactionId }) => ({
        protocol,
        profileUuid,
        transactionId,
      }),
    );
    const found = await Promise.all(keys.map((key) => statements.find(key)));
    expect(found.map((row) => row?.uuid)).toEqual([rows[0]?.uuid, rows[1]?.uuid, undefined]);
  });
});
