import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { createCleanUp } from './clean-up.ts';
import { firstNonceOf, NONCE_LIFE_MS } from './requests/nonces.ts';
import { createAcmeRows, type AcmeRows } from './testing/acme-rows.ts';
import { managementFixture, type ManagementFixture } from './testing/management-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** All rows are retained for 30 days after they expire. */
const OVER = -30 * DAY_MS - MINUTE_MS;
const KEPT = -30 * DAY_MS + MINUTE_MS;

let test: ManagementFixture;
let rows: AcmeRows;
let acmeProfileUuid: string;

beforeAll(async () => {
  test = await managementFixture();
  rows = createAcmeRows(test.database, test.clock);
  acmeProfileUuid = await test.addProfile();
});
afterAll(() => test.close());

const cleanUp = (signal?: AbortSignal) => createCleanUp(test.platform).runOnce(signal);
const detail = (acmeAccountUuid: string) =>
  test.call('getAcmeAccount', { params: { acmeProfileUuid, acmeAccountUuid } });
const uuidsIn = async (table: 'acme_used_nonce' | 'acme_order' | 'acme_authorization'): Promise<Set<string>> =>
  new Set((await test.database.query<{ uuid: string }>(`SELECT uuid FROM ${table}`)).map(({ uuid }) => uuid));

/** Stores a used nonce of this age, and returns its UUID. */
async function usedNonce(ageMs: number): Promise<string> {
  const time = firstNonceOf(new Date(test.clock.now().getTime() - ageMs));
  const uuid = time.slice(0, 14) + newUuid().slice(14);
  await test.database.query('INSERT INTO acme_used_nonce (uuid) VALUES ($1)', [uuid]);
  return uuid;
}

describe('used nonces', () => {
  it('are deleted once they would be rejected by every clock within the tolerance', async () => {
    const kept = [
      await usedNonce(0),
      await usedNonce(NONCE_LIFE_MS - MINUTE_MS),
      await usedNonce(NONCE_LIFE_MS + 19 * MINUTE_MS),
      await usedNonce(-9 * MINUTE_MS),
    ];
    const forgotten = [await usedNonce(NONCE_LIFE_MS + 21 * MINUTE_MS), await usedNonce(40 * DAY_MS)];
    expect(await cleanUp()).toEqual({ nonces: forgotten.length, orders: 0, authorizations: 0, windows: 0 });
    expect(await uuidsIn('acme_used_nonce')).toEqual(new Set(kept));
  });

  it('are all deleted in one run, regardless of their number, unless the run must stop', async () => {
    await test.database.query(
      `INSERT INTO acme_used_nonce (uuid) SELECT ('0180' || lpad(to_hex(n), 28, '0'))::uuid FROM generate_series(1, 12000) AS n`,
    );
    expect((await cleanUp(AbortSignal.abort())).nonces).toBe(5_000);
    expect((await cleanUp()).nonces).toBe(7_000);
    expect((await cleanUp()).nonces).toBe(0);
  });
});

describe('orders', () => {
  it('are deleted without changing the totals of their account', async () => {
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid, gone: { successful: 3, failed: 4 } });
    const order = (status: 'pending' | 'processing' | 'valid' | 'invalid', expiresInMs: number) =>
      rows.order({ accountUuid, status, expiresInMs });
    const kept = [
      await order('valid', KEPT),
      await order('invalid', KEPT),
      await order('pending', KEPT),
      await order('pending', DAY_MS),
      // Issuance is still in progress or will be resolved; the outcome is recorded nowhere else.
      await order('processing', OVER),
    ];
    const gone = [
      await order('valid', OVER),
      await order('valid', OVER),
      await order('invalid', OVER),
      await order('pending', OVER),
    ];
    const before = await detail(accountUuid);
    expect(before).toMatchObject({ totalOrders: 16, successfulOrders: 3 + 3, failedOrders: 4 + 4, pendingOrders: 1 });
    expect(await cleanUp()).toMatchObject({ orders: gone.length });
    expect(await uuidsIn('acme_order')).toEqual(new Set(kept));
    expect(await detail(accountUuid)).toEqual(before);
    expect(await cleanUp()).toMatchObject({ orders: 0 });
    expect(await detail(accountUuid)).toEqual(before);
  });

  it('are counted only once if two nodes clean up simultaneously', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => rows.account({ acmeProfileUuid })));
    for (const { uuid: accountUuid } of accounts)
      await test.database.query(
        `INSERT INTO acme_order (uuid, account_uuid, status, identifiers, names, authorization_uuids, expires_at, created_at)
         SELECT gen_random_uuid(), $1, CASE n % 3 WHEN 0 THEN 'valid' WHEN 1 THEN 'invalid' ELSE 'pending' END, '[]', '{}', '{}',
           now() - interval '40 days', now() FROM generate_series(1, 3000) AS n`,
        [accountUuid],
      );
    const removed = await Promise.all([cleanUp(), cleanUp(), cleanUp()]);
    const rest = await cleanUp();
    expect([...removed, rest].reduce((sum, { orders }) => sum + orders, 0)).toBe(9_000);
    for (const { uuid } of accounts)
      expect(await detail(uuid)).toMatchObject({ totalOrders: 3_000, successfulOrders: 1_000, failedOrders: 2_000 });
  });
});

describe('authorizations', () => {
  it('are deleted a month after they expire, regardless of their status', async () => {
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid });
    const statuses = ['pending', 'valid', 'invalid', 'deactivated', 'revoked'] as const;
    const kept: string[] = [];
    for (const status of statuses) {
      await rows.authorization({ accountUuid, status, expiresInMs: OVER });
      kept.push(await rows.authorization({ accountUuid, status, expiresInMs: KEPT }));
    }
    expect(await cleanUp()).toMatchObject({ authorizations: statuses.length });
    expect(await uuidsIn('acme_authorization')).toEqual(new Set(kept));
  });

  it('are deleted, but an order that outlives them keeps its failed status', async () => {
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid });
    const used = await rows.authorization({ accountUuid, status: 'valid', expiresInMs: OVER });
    await rows.order({ accountUuid, authorizationUuids: [used], expiresInMs: DAY_MS });
    const before = await detail(accountUuid);
    expect(before).toMatchObject({ failedOrders: 1, pendingOrders: 0 });
    expect((await cleanUp()).authorizations).toBe(1);
    expect(await detail(accountUuid)).toEqual(before);
  });
});

describe('requested renewal windows', () => {
  it('are deleted after their certificate has expired', async () => {
    const now = test.clock.now().getTime();
    const window = async (expiresInMs: number): Promise<string> => {
      const uuid = newUuid();
      await test.database.query('INSERT INTO acme_renewal_window VALUES ($1, $2, $2, NULL, $3, $2)', [
        uuid,
        new Date(now),
        new Date(now + expiresInMs),
      ]);
      return uuid;
    };
    const kept = await window(MINUTE_MS);
    await window(-MINUTE_MS);
    expect(await cleanUp()).toMatchObject({ windows: 1 });
    const left = await test.database.query<{ uuid: string }>(
      'SELECT certificate_uuid AS uuid FROM acme_renewal_window',
    );
    expect(left).toEqual([{ uuid: kept }]);
  });
});
