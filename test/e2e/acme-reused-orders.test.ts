// An open order is returned again to an account that requests the same (RFC 8555 §7.4): never to a different account,
// never for a different request, and not once it is unusable.
import { makeSigningRequest, type AcmeOrder, type AcmeReply, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { defaultProfile } from './testing/profiles.ts';

const acme = sharedAcmeServer();
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

const orderBody = (names: readonly string[], more: object = {}) => ({
  identifiers: names.map((value) => ({ type: 'dns', value })),
  ...more,
});
const inHours = (hours: number): string => new Date(Math.floor(Date.now() / 1000 + hours * 3600) * 1000).toISOString();
const uuidIn = (url = ''): string => url.split('/').at(-1) ?? '';

async function ordersOf(...names: readonly string[]): Promise<number> {
  const rows = await acme.server.running.platform.database.query('SELECT FROM acme_order WHERE names = $1', [
    names.map((name) => `dns:${name}`).toSorted(),
  ]);
  return rows.length;
}

async function placeOrder(account: AcmeTestClient, order: object): Promise<AcmeReply<AcmeOrder>> {
  const reply = await account.newOrder(order);
  expect(reply.status, reply.text).toBe(201);
  return reply;
}

describe('an order that is requested a second time', () => {
  it('is the same order while it is pending, regardless of the sequence and case of its names', async () => {
    const names = [acme.host('again'), acme.host('again')];
    const first = await placeOrder(client, orderBody(names));
    for (const other of [
      names,
      names.toReversed(),
      names.map((name) => `${name.toUpperCase()}.`),
      [...names, ...names],
    ]) {
      const again = await placeOrder(client, orderBody(other));
      expect([again.location, again.body]).toEqual([first.location, first.body]);
    }
    expect(await ordersOf(...names)).toBe(1);
  });

  it('is the same order when it is ready, and can then be issued', async () => {
    const names = [acme.host('ready'), acme.host('ready')];
    const first = await placeOrder(client, orderBody(names));
    await acme.prove(client, first.body.authorizations[0] ?? '');
    expect((await placeOrder(client, orderBody(names))).body).toEqual(first.body);
    await acme.prove(client, first.body.authorizations[1] ?? '');
    const again = await placeOrder(client, orderBody(names));
    expect([again.location, again.body]).toEqual([first.location, { ...first.body, status: 'ready' }]);
    const { der } = await makeSigningRequest({ names });
    expect((await client.finalize(again.body.finalize, der)).body.status).toBe('valid');
    const next = await placeOrder(client, orderBody(names));
    expect([next.location === first.location, next.body.status]).toEqual([false, 'pending']);
  });

  it('keeps the validity period with which it was placed', async () => {
    const [name, notAfter] = [acme.host('validity'), inHours(48)];
    const first = await placeOrder(client, orderBody([name], { notAfter }));
    const elsewhere = new Date(Date.parse(notAfter) + 2 * 3_600_000).toISOString().replace('.000Z', '+02:00');
    const again = await placeOrder(client, orderBody([name], { notAfter: elsewhere }));
    expect([again.location, again.body]).toEqual([first.location, first.body]);
  });

  it('is a single order for many concurrent requests', async () => {
    const name = acme.host('at-once');
    const replies = await Promise.all(Array.from({ length: 16 }, () => placeOrder(client, orderBody([name]))));
    expect(new Set(replies.map(({ location }) => location)).size).toBe(1);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await ordersOf(name)).toBe(1);
    const { body } = await client.authorization(replies[0]?.body.authorizations[0] ?? '');
    expect(body.status).toBe('pending');
    const rows = await acme.server.running.platform.database.query(
      'SELECT FROM acme_authorization WHERE identifier_value = $1',
      [name],
    );
    expect(rows).toHaveLength(1);
    const records = await acme.server.running.platform.database.query(
      `SELECT FROM audit_record WHERE operation_data ->> 'order' = $1`,
      [uuidIn(replies[0]?.location)],
    );
    expect(records).toHaveLength(1);
  });
});

describe('a new order is created', () => {
  it('for different names, a different validity period or a different account', async () => {
    const [name, other] = [acme.host('other'), acme.host('other')];
    const stranger = await acme.account();
    const replies = [
      await placeOrder(client, orderBody([name])),
      await placeOrder(client, orderBody([name, other])),
      await placeOrder(client, orderBody([`*.${name}`])),
      await placeOrder(client, orderBody([name], { notAfter: inHours(24) })),
      await placeOrder(client, orderBody([name], { notAfter: inHours(25) })),
      await placeOrder(client, orderBody([name], { notBefore: inHours(24) })),
      await placeOrder(stranger, orderBody([name])),
    ];
    expect(new Set(replies.map(({ location }) => location)).size).toBe(replies.length);
    expect((await stranger.order(replies.at(-1)?.location ?? '')).status).toBe(200);
  });

  it('if a different profile is selected from those offered', async () => {
    const { raProfileUuid } = await defaultProfile(acme.server.client);
    const offered = ['one', 'two'].map((name) => ({ name, description: name, raProfileUuid }));
    const account = await acme.account(await addAcmeProfile(acme, { offeredProfiles: offered }));
    const name = acme.host('profile');
    const one = await placeOrder(account, orderBody([name], { profile: 'one' }));
    const two = await placeOrder(account, orderBody([name], { profile: 'two' }));
    expect(two.location).not.toBe(one.location);
    expect((await placeOrder(account, orderBody([name], { profile: 'one' }))).location).toBe(one.location);
  });

  it('after an authorization for the open order has failed or been deactivated', async () => {
    const name = acme.host('given-up');
    const first = await placeOrder(client, orderBody([name]));
    await client.signed(first.body.authorizations[0] ?? '', { status: 'deactivated' });
    const second = await placeOrder(client, orderBody([name]));
    expect([second.location === first.location, second.body.status]).toEqual([false, 'pending']);
  });

  it("after the directory's rules have changed", async () => {
    const profile = await addAcmeProfile(acme);
    const account = await acme.account(profile);
    const name = acme.host('rules');
    const first = await placeOrder(account, orderBody([name]));
    await profile.edit({ retryInterval: 7 });
    const second = await placeOrder(account, orderBody([name]));
    expect(second.location).not.toBe(first.location);
    expect((await placeOrder(account, orderBody([name]))).location).toBe(second.location);
  });

  it.each([
    ['the open one', 'UPDATE acme_order SET expires_at = $2 WHERE uuid = $1'],
    ['a proof of it', 'UPDATE acme_authorization SET expires_at = $2 WHERE order_uuid = $1'],
  ])('when %s is about to expire, and is then returned for later requests', async (_what, ageing) => {
    const { database } = acme.server.running.platform;
    const name = acme.host('ageing');
    const first = await placeOrder(client, orderBody([name]));
    const expiresInMinutes = (minutes: number) =>
      database.query(ageing, [uuidIn(first.location), new Date(Date.now() + minutes * 60_000)]);
    await expiresInMinutes(61);
    expect((await placeOrder(client, orderBody([name]))).location).toBe(first.location);
    await expiresInMinutes(59);
    const second = await placeOrder(client, orderBody([name]));
    expect(second.location).not.toBe(first.location);
    expect((await placeOrder(client, orderBody([name]))).location).toBe(second.location);
    // The client of the earlier order can still finish it.
    expect((await client.order(first.location ?? '')).body.status).toBe('pending');
  });

  it('only after half of the order lifetime, in a directory with short-lived orders', async () => {
    const account = await acme.account(await addAcmeProfile(acme, { validity: 600 }));
    const name = acme.host('short');
    const first = await placeOrder(account, orderBody([name]));
    expect((await placeOrder(account, orderBody([name]))).location).toBe(first.location);
  });

  it('when a reusable authorization for the name has since been validated', async () => {
    const account = await acme.account(await addAcmeProfile(acme, { authorizationReuse: 3600 }));
    const [name, other] = [acme.host('proven'), acme.host('proven')];
    const first = await placeOrder(account, orderBody([name]));
    const { body } = await placeOrder(account, orderBody([name, other]));
    await acme.prove(account, body.authorizations[0] ?? '');
    const second = await placeOrder(account, orderBody([name]));
    expect([second.location === first.location, second.body.status]).toEqual([false, 'ready']);
    expect((await placeOrder(account, orderBody([name]))).location).toBe(second.location);
  });
});
