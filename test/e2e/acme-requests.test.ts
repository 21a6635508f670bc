// The envelope of ACME requests: invalid requests are rejected without side effects; nonces work once; harmless
// variations are accepted. Over real sockets, against the profile `default`.
import { gzipSync } from 'node:zlib';
import {
  acmeAbuses,
  generateAcmeKey,
  makeJws,
  type AcmeAbuse,
  type AcmeReply,
  type AcmeTestClient,
} from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, managedAccount, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();
const foreignKey = generateAcmeKey();
const abuses: readonly [string, AcmeAbuse][] = Object.entries(acmeAbuses);
let client: AcmeTestClient;
let other: AcmeProfileOfTest;

beforeAll(async () => {
  client = await acme.account();
  other = await addAcmeProfile(acme, {});
});

const newOrderBody = () => ({ identifiers: [{ type: 'dns', value: acme.host('request') }] });

function expectRejection(reply: AcmeReply, abuse: AcmeAbuse): void {
  const status = abuse.statuses.find((each) => each === reply.status) ?? abuse.statuses[0] ?? 0;
  const type = abuse.problems.find((each) => each === reply.problem) ?? abuse.problems[0] ?? '';
  const { algorithms } = expectProblem(reply, status, type);
  if (type === 'badSignatureAlgorithm') expect(algorithms).toEqual(expect.arrayContaining(['ES256', 'RS256']));
}

/**
 * Returns the URLs of an account's orders. Uses the nonce of the previous response, which also shows that this nonce
 * works.
 */
async function ordersOf(account: AcmeTestClient, before?: AcmeReply): Promise<readonly string[]> {
  const url = account.accountUrl?.replace('/acct/', '/orders/') ?? '';
  const header = before ? { nonce: await account.takeNonce() } : {};
  if (before) expect(header.nonce).toBe(before.nonce);
  const reply = await account.signed<{ orders: readonly string[] }>(url, undefined, { header });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.orders;
}

describe('a request from an account (RFC 8555 §6.2 to §6.5)', () => {
  it.each(abuses)('is rejected with a usable nonce, and does not create an order: %s', async (_what, abuse) => {
    const { newOrder } = await client.directory();
    const known = await ordersOf(client);
    const overrides = abuse.overrides({
      key: client.key,
      foreignKey,
      url: newOrder,
      accountUrl: client.accountUrl ?? '',
    });
    const reply = await client.signed(newOrder, newOrderBody(), overrides);
    expectRejection(reply, abuse);
    expect(await ordersOf(client, reply)).toEqual(known);
  });

  it.each([
    ['of an account that is not there', (url: string) => `${url}x`],
    ['without an account in it', (url: string) => url.replace(/[^/]+$/, '')],
    ['of another resource', (url: string) => url.replace('/acct/', '/order/')],
    ['that is no URL', () => 'account'],
  ])('is rejected with a "kid" %s (§6.2)', async (_what, change) => {
    const { newOrder } = await client.directory();
    const reply = await client.signed(newOrder, newOrderBody(), { header: { kid: change(client.accountUrl ?? '') } });
    expectProblem(reply, 400, 'accountDoesNotExist');
  });

  it("is rejected in a different profile's directory, because of its URL and because of its account (§6.2, §6.4)", async () => {
    const { newOrder } = await client.directory();
    const elsewhere = newOrder.replace('/default/', `/${other.name}/`);
    expectProblem(await client.signed(elsewhere, newOrderBody(), { header: { url: newOrder } }), 401, 'unauthorized');
    expectProblem(await client.signed(elsewhere, newOrderBody()), 400, 'accountDoesNotExist');
    const kid = client.accountUrl?.replace('/default/', `/${other.name}/`);
    expectProblem(await client.signed(elsewhere, newOrderBody(), { header: { kid } }), 400, 'accountDoesNotExist');
  });

  it('is rejected without "kid", and a request for a new account is rejected without "jwk" (§6.2)', async () => {
    const { newOrder, newAccount } = await client.directory();
    expectProblem(await client.signed(newOrder, newOrderBody(), { by: 'jwk' }), 400, 'malformed');
    expectProblem(await client.signed(newAccount, {}, { by: 'kid' }), 400, 'malformed');
  });
});

describe('a request with a key in its header (RFC 8555 §6.2 to §6.5)', () => {
  it.each(abuses)('is rejected with a usable nonce, and does not create an account: %s', async (_what, abuse) => {
    const otherClient = await acme.client();
    const { newAccount } = await otherClient.directory();
    const overrides = abuse.overrides({ key: otherClient.key, foreignKey, url: newAccount });
    const reply = await otherClient.signed(newAccount, { termsOfServiceAgreed: true }, { by: 'jwk', ...overrides });
    expectRejection(reply, abuse);
    const nonce = await otherClient.takeNonce();
    expect(nonce).toBe(reply.nonce);
    expectProblem(
      await otherClient.newAccount({ onlyReturnExisting: true }, { header: { nonce } }),
      400,
      'accountDoesNotExist',
    );
  });
});

describe('POST-as-GET (RFC 8555 §6.3)', () => {
  it('can also read the directory and get a nonce, for clients with an account', async () => {
    const { newNonce } = await client.directory();
    const directory = await client.signed(acme.server.ready.acmeDirectory);
    expect([directory.status, directory.body]).toEqual([200, await client.directory()]);
    const nonce = await client.signed(newNonce);
    expect([nonce.status, nonce.text, nonce.headers['cache-control']]).toEqual([204, '', 'no-store']);
    expectProblem(await client.signed(newNonce, undefined, { key: foreignKey }), 400, 'malformed');
  });

  it.each(['account', 'orders', 'order', 'authorization', 'challenge', 'certificate'] as const)(
    'is required for reading: GET of %s returns 405',
    async (what) => {
      const reply = await client.request(await objectUrl(what));
      expectProblem(reply, 405, 'malformed');
      expect(reply.headers.allow).toContain('POST');
    },
  );

  it.each(['newAccount', 'newOrder', 'revokeCert', 'keyChange'] as const)(
    'cannot be replaced by GET: %s returns 405',
    async (name) => {
      expectProblem(await client.request((await client.directory())[name]), 405, 'malformed');
    },
  );

  it.each(['orders', 'order', 'certificate'] as const)('must have an empty payload, not {}: %s', async (what) => {
    expectProblem(await client.signed(await objectUrl(what), {}), 400, 'malformed');
  });

  async function objectUrl(
    what: 'account' | 'orders' | 'order' | 'authorization' | 'challenge' | 'certificate',
  ): Promise<string> {
    const account = client.accountUrl ?? '';
    if (what === 'account') return account;
    if (what === 'orders') return account.replace('/acct/', '/orders/');
    if (what === 'certificate') return account.replace(/acct\/.*/, `cert/${crypto.randomUUID()}`);
    const placed = await client.newOrder([acme.host('get')]);
    if (what === 'order') return placed.location ?? '';
    const [url = ''] = placed.body.authorizations;
    return what === 'authorization' ? url : ((await client.authorization(url)).body.challenges[0]?.url ?? '');
  }
});

describe('nonces (RFC 8555 §6.5, §7.2)', () => {
  it('are returned by HEAD and GET, unique and never cached', async () => {
    const { newNonce } = await client.directory();
    const replies = [
      await client.request(newNonce, { method: 'HEAD' }),
      await client.request(newNonce, { method: 'HEAD' }),
      await client.request(newNonce),
      await client.request(acme.server.ready.acmeDirectory),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 204, 200]);
    expect(new Set(replies.map(({ nonce }) => nonce)).size).toBe(4);
    for (const { nonce, headers, links } of replies.slice(0, 3)) {
      expect(nonce).toMatch(/^[\w-]+$/);
      expect(headers['cache-control']).toBe('no-store');
      expect(links.get('index')).toEqual([acme.server.ready.acmeDirectory]);
    }
    expect(replies[3]?.links.get('index'), 'the directory has no link to itself (§7.1)').toBeUndefined();
  });

  it('are valid in any directory, regardless of which response contained them', async () => {
    const elsewhere = await acme.account({ directoryUrl: other.directoryUrl });
    const header = { nonce: await client.takeNonce() };
    expect((await elsewhere.newOrder([acme.host('scope')], { header })).status).toBe(201);
  });

  it('are valid once, even if the request is then rejected', async () => {
    const header = { nonce: await client.takeNonce() };
    expectProblem(await client.newOrder([], { header }), 400, 'malformed');
    expectProblem(await client.newOrder([acme.host('again')], { header }), 400, 'badNonce');
  });

  it('from a disabled account remain invalid after the account is enabled again', async () => {
    const account = await acme.account();
    const params = await managedAccount(acme, account);
    const { acmeAccounts } = acme.server.client;
    await acmeAccounts.disableAcmeAccount({ params });
    const header = { nonce: await account.takeNonce() };
    const refused = await account.newOrder([acme.host('later')], { header });
    expectProblem(refused, 401, 'unauthorized');
    await acmeAccounts.enableAcmeAccount({ params });
    expectProblem(await account.newOrder([acme.host('later')], { header }), 400, 'badNonce');
    expect((await account.newOrder([acme.host('later')])).status).toBe(201);
  });

  it.each([
    ['newOrder', 200],
    ['newAccount', 50],
    ['account', 50],
    ['deactivation', 50],
    ['keyChange', 50],
  ] as const)('let only one %s request through out of %i concurrent ones with the same nonce', async (what, many) => {
    const account = await acme.account();
    const { url, body } = await createSignedRequest(account, what);
    const headers = { 'content-type': 'application/jose+json' };
    const replies = await Promise.all(
      Array.from({ length: many }, () => account.request(url, { method: 'POST', headers, body })),
    );
    const refused = replies.filter(({ status }) => status >= 300);
    expect(refused.length, replies.find(({ status }) => status >= 500)?.text).toBe(many - 1);
    for (const reply of refused) expect(['badNonce', 'unauthorized', 'malformed'], reply.text).toContain(reply.problem);
    if (what === 'newOrder') expect(await ordersOf(account)).toHaveLength(1);
    if (what === 'newOrder' || what === 'account' || what === 'newAccount')
      for (const reply of refused) expectProblem(reply, 400, 'badNonce');
  });

  /** One signed request as text, for replays. */
  async function createSignedRequest(account: AcmeTestClient, what: string): Promise<{ url: string; body: string }> {
    const { newOrder, newAccount, keyChange } = await account.directory();
    const { key, accountUrl = '' } = account;
    const newKey = generateAcmeKey();
    const inner = { account: accountUrl, oldKey: key.jwk };
    const [url, payload] =
      what === 'newOrder'
        ? [newOrder, newOrderBody()]
        : what === 'newAccount'
          ? [newAccount, { contact: [] }]
          : what === 'keyChange'
            ? [
                keyChange,
                makeJws({
                  header: { alg: newKey.alg, jwk: newKey.jwk, url: keyChange },
                  payload: inner,
                  sign: newKey.sign,
                }),
              ]
            : [accountUrl, what === 'account' ? undefined : { status: 'deactivated' }];
    const by = what === 'newAccount' ? { jwk: key.jwk } : { kid: accountUrl };
    const header = { alg: key.alg, ...by, nonce: await account.takeNonce(), url };
    return { url, body: JSON.stringify(makeJws({ header, payload, sign: key.sign })) };
  }
});

describe('request bodies, media types and URLs', () => {
  it('are rejected if they exceed 128 KiB (RFC 8555 §10.3)', async () => {
    const { newOrder } = await client.directory();
    const reply = await client.signed(newOrder, { ...newOrderBody(), padding: 'x'.repeat(100_000) });
    expect(expectProblem(reply, 413, 'malformed').detail).toBe('The request body is larger than 131072 bytes.');
    const fits = await client.signed(newOrder, { ...newOrderBody(), padding: 'x'.repeat(90_000) });
    expect(fits.status, fits.text).toBe(201);
  });

  it.each([
    ['with a member twice', '{"identifiers":[],"identifiers":[]}'],
    ['with an escaped member twice', '{"identifiers":[],"\\u0069dentifiers":[]}'],
    ['of 5000 levels', `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['cut short', '{"identifiers":['],
    ['followed by more', '{} {}'],
    ['that is no UTF-8', Buffer.concat([Buffer.from('{"x":"'), Buffer.of(0xff), Buffer.from('"}')])],
    ['that is null', 'null'],
    ['that is a number', '1'],
  ])('with a payload %s are rejected', async (_what, payload) => {
    const { newOrder, newAccount } = await client.directory();
    expectProblem(await client.signed(newOrder, payload), 400, 'malformed');
    const otherClient = await acme.client();
    expectProblem(await otherClient.signed(newAccount, payload, { by: 'jwk' }), 400, 'malformed');
  });

  it('with members that every JavaScript object inherits are accepted, and these members have no effect', async () => {
    const otherClient = await acme.client();
    const { newAccount } = await otherClient.directory();
    const payload = '{"__proto__":{"onlyReturnExisting":true},"constructor":1,"toString":2}';
    expect((await otherClient.signed(newAccount, payload, { by: 'jwk' })).status).toBe(201);
  });

  it('are rejected if they are compressed, since their decompressed size would be unlimited', async () => {
    const { newOrder } = await client.directory();
    const reply = await client.signed(newOrder, newOrderBody(), {
      headers: { 'content-encoding': 'gzip' },
      body: (json) => gzipSync(json),
    });
    expectProblem(reply, 415, 'malformed');
  });

  it('with a media type parameter, a doubled slash or unknown members are accepted (§6.2)', async () => {
    const { newOrder } = await client.directory();
    const headers = { 'content-type': 'application/jose+json; charset=utf-8', te: 'trailers', connection: 'TE, close' };
    expect((await client.signed(newOrder, { ...newOrderBody(), unknown: 1 }, { headers })).status).toBe(201);
    const doubled = newOrder.replace('/api/', '//api/');
    expect((await client.signed(doubled, newOrderBody())).status).toBe(201);
    const directory = acme.server.ready.acmeDirectory;
    const odd = [{ headers: { 'content-type': 'application/json' } }, { method: 'HEAD' }];
    for (const request of odd) expect((await client.request(directory, request)).status).toBe(200);
  });

  it('that do not exist are answered in the same format as all others (§6.7)', async () => {
    const base = acme.server.ready.acmeDirectory.replace(/\/directory$/, '');
    expectProblem(await client.request(`${base}/new-authz`), 404, 'malformed');
    expectProblem(await client.signed(`${base}/nothing`), 404, 'malformed');
    expectProblem(await client.request(`${base}/directory`, { method: 'DELETE' }), 405, 'malformed');
    expectProblem(await client.request(base.replace('/default', '/nobody') + '/directory'), 400, 'malformed');
  });
});
