import type { AcmeOrderStatus } from '@signetry/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { createAcmeRows, type AcmeRows } from '../testing/acme-rows.ts';
import { managementFixture, type ManagementFixture } from '../testing/management-fixture.ts';
import { describeProblem } from './list-orders.ts';
import { statusOf } from '../orders/present.ts';
import type { OrderView } from '../orders/store.ts';
import { shownStatus } from '../orders/store-status.ts';

/** Orders created in the same millisecond have no defined order. */
const newestFirst = (uuids: readonly string[]): string[] => uuids.toSorted().toReversed();

let test: ManagementFixture;
let rows: AcmeRows;
let acmeProfileUuid: string;

beforeAll(async () => {
  test = await managementFixture();
  rows = createAcmeRows(test.database, test.clock);
  acmeProfileUuid = await test.addProfile();
});
afterAll(() => test.close());

type Query = Partial<{ accountUuid: string; status: AcmeOrderStatus; itemsPerPage: number; pageNumber: number }>;
const list = (query: Query = {}, uuid = acmeProfileUuid) =>
  test.call('listAcmeOrders', { params: { uuid }, query: { itemsPerPage: 10, pageNumber: 1, ...query } });

describe("the SQL expression for an order's status", () => {
  it('returns the status that the client sees, for every combination of states', async () => {
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid });
    const authorizations = [
      ...(['pending', 'valid', 'invalid', 'deactivated', 'revoked'] as const).map((status) => ({
        status,
        expiresInMs: 3_600_000,
      })),
      { status: 'valid', expiresInMs: -1_000 },
      { status: 'pending', expiresInMs: -1_000 },
    ] as const;
    const made = await Promise.all(authorizations.map((facts) => rows.authorization({ accountUuid, ...facts })));
    const parts = made.flatMap((one) => [[one], ...made.map((other) => [one, other])]);
    for (const authorizationUuids of [...parts, [], [newUuid()], [made[1] ?? '', newUuid()]])
      for (const expiresInMs of [3_600_000, -1_000]) await rows.order({ accountUuid, authorizationUuids, expiresInMs });
    for (const status of ['valid', 'invalid', 'processing'] as const) await rows.order({ accountUuid, status });
    for (const state of ['requested', 'pending_issue', 'issued', 'revoked', 'failed', 'rejected', 'pending_approval'])
      await rows.order({ accountUuid, status: 'processing', certificateUuid: await rows.certificate(state) });

    const now = test.clock.now();
    const { rows: orders } = await sql<OrderView & { shown: string }>`
      SELECT o.*, ${shownStatus(now)} AS shown, (SELECT c.state FROM certificate c WHERE c.uuid = o.certificate_uuid) AS certificate_state,
        ARRAY(SELECT CASE WHEN z.expires_at <= ${now} AND z.status IN ('pending', 'valid') THEN 'expired' ELSE z.status END
          FROM unnest(o.authorization_uuids) AS part (uuid) JOIN acme_authorization z ON z.uuid = part.uuid) AS authorization_statuses
      FROM acme_order o WHERE o.account_uuid = ${accountUuid}`.execute(test.database.executor);
    expect(orders.length).toBeGreaterThan(120);
    for (const order of orders) expect([order.shown, order]).toEqual([statusOf(order, now), order]);
    expect(new Set(orders.map(({ shown }) => shown))).toEqual(
      new Set(['pending', 'ready', 'processing', 'valid', 'invalid']),
    );

    const detail = await test.call('getAcmeAccount', { params: { acmeProfileUuid, acmeAccountUuid: accountUuid } });
    const count = (...statuses: string[]) => orders.filter(({ shown }) => statuses.includes(shown)).length;
    expect(detail).toMatchObject({
      totalOrders: orders.length,
      successfulOrders: count('valid'),
      failedOrders: count('invalid'),
      pendingOrders: count('pending', 'ready'),
      processingOrders: count('processing'),
    });
    for (const status of ['pending', 'ready', 'processing', 'valid', 'invalid'] as const)
      expect([status, (await list({ accountUuid, status })).totalItems]).toEqual([status, count(status)]);
  });
});

describe("a profile's orders", () => {
  it('are listed newest first, page by page, either for all accounts or for one account', async () => {
    const profile = await test.addProfile();
    const [one, two] = [
      await rows.account({ acmeProfileUuid: profile }),
      await rows.account({ acmeProfileUuid: profile }),
    ];
    const orders: string[] = [];
    for (let index = 0; index < 7; index += 1)
      orders.push(await rows.order({ accountUuid: index % 3 === 0 ? two.uuid : one.uuid }));
    const pages = await Promise.all([1, 2, 3].map((pageNumber) => list({ itemsPerPage: 3, pageNumber }, profile)));
    expect(pages.flatMap((page) => page.orders.map(({ uuid }) => uuid))).toEqual(newestFirst(orders));
    expect(pages.map(({ totalItems, totalPages }) => [totalItems, totalPages])).toEqual([
      [7, 3],
      [7, 3],
      [7, 3],
    ]);
    expect(await list({ itemsPerPage: 3, pageNumber: 4 }, profile)).toMatchObject({ totalItems: 7, orders: [] });
    const own = await list({ accountUuid: two.uuid }, profile);
    expect(own.orders.map(({ accountId }) => accountId)).toEqual([two.accountId, two.accountId, two.accountId]);
    expect((await list({ accountUuid: newUuid() }, profile)).orders).toEqual([]);
    expect((await list({ accountUuid: one.uuid })).orders).toEqual([]);
  });

  it('are listed in the same way if there are many accounts', async () => {
    const profile = await test.addProfile();
    const orders: string[] = [];
    for (let index = 0; index < 205; index += 1)
      orders.push(await rows.order({ accountUuid: (await rows.account({ acmeProfileUuid: profile })).uuid }));
    const page = await list({ itemsPerPage: 100, pageNumber: 2 }, profile);
    expect(page.orders.map(({ uuid }) => uuid)).toEqual(newestFirst(orders).slice(100, 200));
    expect(page.totalItems).toBe(205);
    expect((await list({ status: 'ready', itemsPerPage: 5 }, profile)).totalItems).toBe(205);
    expect((await list({ status: 'valid' }, profile)).totalItems).toBe(0);
  });

  it('show which of the offered profiles they selected', async () => {
    const profile = await test.addProfile();
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid: profile });
    const chosen = await rows.order({ accountUuid, profile: 'short-lived' });
    const plain = await rows.order({ accountUuid });
    const { orders } = await list({}, profile);
    const byUuid = new Map(orders.map((order) => [order.uuid, order.profile]));
    expect([byUuid.get(chosen), byUuid.get(plain)]).toEqual(['short-lived', undefined]);
  });

  it('show their names, their certificate, and the reason if they are invalid', async () => {
    const profile = await test.addProfile();
    const { uuid: accountUuid, accountId } = await rows.account({ acmeProfileUuid: profile });
    const certificateUuid = await rows.certificate('issued');
    const uuid = await rows.order({ accountUuid, status: 'processing', certificateUuid });
    expect((await list({}, profile)).orders).toEqual([
      {
        uuid,
        accountUuid,
        accountId,
        names: ['a.test'],
        status: 'valid',
        certificateUuid,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
    const failed = await rows.order({ accountUuid, status: 'invalid' });
    const problem = {
      type: 'connection',
      detail: 'The proof of control of an identifier failed.',
      subproblems: [
        { type: 'connection', detail: 'Connection refused.', identifier: { type: 'dns', value: 'a.test' } },
      ],
    };
    await test.database.query('UPDATE acme_order SET error = $1 WHERE uuid = $2', [JSON.stringify(problem), failed]);
    await rows.order({ accountUuid, expiresInMs: -1_000 });
    const { orders } = await list({ status: 'invalid' }, profile);
    expect(orders.map(({ error }) => error).toSorted()).toEqual([
      'The order expired before it was finalized. Place a new one.',
      'a.test: Connection refused.',
    ]);
    expect(describeProblem({ type: 'malformed', detail: 'Only this.' })).toBe('Only this.');
  });

  it('require an existing profile and an existing page', async () => {
    await expect(list({}, newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(list({ pageNumber: 0 })).rejects.toMatchObject({ code: 'invalid_fields' });
    await expect(list({ itemsPerPage: 1_001 })).rejects.toMatchObject({ code: 'invalid_fields' });
  });
});
