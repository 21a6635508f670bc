// ACME accounts: created, found, updated and deactivated by their owners (RFC 8555 §7.3), and disabled by
// administrators.
import { X509Certificate } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { generateAcmeKey, type AcmeOrder, type AcmeReply, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, managedAccount } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

const detailOf = async (account: AcmeTestClient) =>
  acme.server.client.acmeAccounts.getAcmeAccount({ params: await managedAccount(acme, account) });

describe('a new account (RFC 8555 §7.3)', () => {
  it('is returned with its URL, and ignores unknown and read-only members of the request', async () => {
    const fresh = await acme.client();
    const payload = { contact: ['mailto:a@example.com'], termsOfServiceAgreed: true, onlyReturnExisting: false };
    const reply = await fresh.newAccount({ ...payload, orders: 'https://example.com/', unknown: 1, status: 'revoked' });
    const orders = reply.location?.replace('/acct/', '/orders/');
    expect([reply.status, reply.body]).toEqual([
      201,
      { status: 'valid', contact: ['mailto:a@example.com'], termsOfServiceAgreed: true, orders },
    ]);
    expect(reply.links.get('index')).toEqual([acme.server.ready.acmeDirectory]);
    const own = await fresh.updateAccount(undefined);
    expect([own.status, own.body]).toEqual([200, reply.body]);
  });

  it.each([
    ['none', undefined],
    ['an empty list', []],
    ['several addresses', ['mailto:a@example.com', 'mailto:b+tag@sub.example.org']],
    ['a scheme in capitals', ['MAILTO:a@example.com']],
    ["a name of the operator's own network", ['mailto:root@localhost']],
  ])('accepts %s as a contact', async (_what, contact) => {
    const reply = await (await acme.client()).newAccount({ contact });
    expect([reply.status, reply.body.contact], reply.text).toEqual([201, contact ?? []]);
  });

  it.each([
    ['a telephone number', ['tel:+12025550123'], 'unsupportedContact'],
    ['a web address', ['mailto:a@example.com', 'https://example.com'], 'unsupportedContact'],
    ['header fields', ['mailto:a@example.com?subject=x'], 'invalidContact'],
    ['two addresses in one', ['mailto:a@example.com,b@example.com'], 'invalidContact'],
    ['no address', ['mailto:'], 'invalidContact'],
    ['no domain', ['mailto:a@'], 'invalidContact'],
    ['a character that no text may hold', ['mailto:a\u0000b@example.com'], 'invalidContact'],
    ['a line break', ['mailto:a@example.com\r\nBcc: x'], 'invalidContact'],
    ['no URL', ['a@example.com'], 'invalidContact'],
    ['eleven addresses', Array.from({ length: 11 }, (_, at) => `mailto:a${at}@example.com`), 'invalidContact'],
    ['a text', 'mailto:a@example.com', 'malformed'],
    ['a number', [1], 'malformed'],
  ])('is rejected with %s as a contact', async (_what, contact, type) => {
    const fresh = await acme.client();
    expectProblem(await fresh.newAccount({ contact } as object as Record<string, unknown>), 400, type);
    expectProblem(await fresh.newAccount({ onlyReturnExisting: true }), 400, 'accountDoesNotExist');
  });

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['nothing', undefined],
  ])('is rejected with %s as the payload', async (_what, payload) => {
    const fresh = await acme.client();
    const { newAccount } = await fresh.directory();
    expectProblem(await fresh.signed(newAccount, payload, { by: 'jwk' }), 400, 'malformed');
  });

  it('is the existing account if the key already has one, and the request content is ignored (§7.3.1)', async () => {
    const before = await client.updateAccount(undefined);
    for (const payload of [
      { onlyReturnExisting: true },
      { contact: ['mailto:new@example.com'] },
      { contact: ['tel:1'] },
    ]) {
      const reply = await client.newAccount(payload);
      expect([reply.status, reply.location, reply.body]).toEqual([200, client.accountUrl, before.body]);
    }
  });

  it('is created only once for ten concurrent requests with the same key (§7.3.1)', async () => {
    const key = generateAcmeKey();
    const same = await Promise.all(Array.from({ length: 10 }, () => acme.client({ key })));
    const replies = await Promise.all(same.map((each) => each.newAccount()));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map(({ location }) => location)).size).toBe(1);
  });

  it('is a separate account in a different directory', async () => {
    const { directoryUrl } = await addAcmeProfile(acme);
    const elsewhere = await acme.client({ directoryUrl, key: client.key });
    expectProblem(await elsewhere.newAccount({ onlyReturnExisting: true }), 400, 'accountDoesNotExist');
    const reply = await elsewhere.newAccount();
    expect(reply.status).toBe(201);
    expect(reply.location).not.toBe(client.accountUrl);
  });
});

describe("a profile's rules", () => {
  it('can require a contact', async () => {
    const profile = await addAcmeProfile(acme, { requireContact: true });
    for (const contact of [undefined, null, []])
      expectProblem(await (await acme.client(profile)).newAccount({ contact }), 400, 'invalidContact');
    const account = await acme.client(profile);
    expect((await account.newAccount({ contact: ['mailto:a@example.com'] })).status).toBe(201);
    expectProblem(await account.updateAccount({ contact: [] }), 400, 'invalidContact');
    expect((await account.updateAccount(undefined)).body.contact).toEqual(['mailto:a@example.com']);
  });

  it('can require agreement to the terms of service, which are linked in the directory (§7.1.1, §7.3)', async () => {
    const termsOfServiceUrl = 'https://example.com/terms';
    const websiteUrl = 'https://example.com/';
    const profile = await addAcmeProfile(acme, { requireTermsOfService: true, termsOfServiceUrl, websiteUrl });
    const account = await acme.client(profile);
    expect((await account.directory()).meta).toMatchObject({ termsOfService: termsOfServiceUrl, website: websiteUrl });
    for (const termsOfServiceAgreed of [undefined, false, 'true']) {
      const reply = await account.newAccount({ termsOfServiceAgreed });
      expect(expectProblem(reply, 403, 'userActionRequired')).toMatchObject({ instance: termsOfServiceUrl });
      expect(reply.links.get('terms-of-service')).toEqual([termsOfServiceUrl]);
    }
    expect((await account.newAccount({ termsOfServiceAgreed: true })).body.termsOfServiceAgreed).toBe(true);
  });

  it('can block all clients after the terms have changed, and unblock them (§7.3.3)', async () => {
    const terms = {
      termsOfServiceUrl: 'https://example.com/agree',
      termsOfServiceChangeUrl: 'https://example.com/new',
    };
    const profile = await addAcmeProfile(acme);
    const account = await acme.account(profile);
    const placed = await account.newOrder([acme.host('terms')]);
    await profile.edit({ ...terms, termsOfServiceChangeDisable: true });
    const refused: readonly AcmeReply[] = [
      await account.updateAccount(undefined),
      await account.newOrder([acme.host('terms')]),
      await account.order(placed.location ?? ''),
      await account.authorization(placed.body.authorizations[0] ?? ''),
      await (await acme.client(profile)).newAccount(),
    ];
    for (const reply of refused) {
      expect(expectProblem(reply, 403, 'userActionRequired')).toMatchObject({ instance: terms.termsOfServiceUrl });
      expect(reply.links.get('terms-of-service')).toEqual([terms.termsOfServiceChangeUrl]);
    }
    expect((await account.request(profile.directoryUrl)).status).toBe(200);
    await profile.edit({ ...terms, termsOfServiceChangeDisable: false });
    expect((await account.order(placed.location ?? '')).body.status).toBe('pending');
  });
});

describe('an update (RFC 8555 §7.3.2)', () => {
  it('changes the contact and ignores everything else', async () => {
    const account = await acme.account();
    const reply = await account.updateAccount({
      contact: ['mailto:new@example.com'],
      status: 'revoked',
      orders: 'https://example.com/',
      termsOfServiceAgreed: false,
      unknown: 1,
    });
    const expected = { status: 'valid', contact: ['mailto:new@example.com'], termsOfServiceAgreed: true };
    expect([reply.status, reply.body], reply.text).toEqual([
      200,
      { ...expected, orders: expect.any(String) as string },
    ]);
    expect(reply.body).not.toHaveProperty('unknown');
    expect((await detailOf(account)).contact).toEqual(expected.contact);
    expect((await account.updateAccount({})).body).toEqual(reply.body);
    expect((await account.updateAccount({ contact: [] })).body.contact).toEqual([]);
  });

  it('with a malformed contact changes nothing', async () => {
    const account = await acme.account();
    expectProblem(await account.updateAccount({ contact: ['tel:1'] }), 400, 'unsupportedContact');
    expectProblem(await account.updateAccount('x'), 400, 'malformed');
    expect((await account.updateAccount(undefined)).body.contact).toEqual([]);
  });

  it('for a different account is rejected in the same way as for a nonexistent one', async () => {
    const otherClient = await acme.account();
    const { accountUrl = '' } = otherClient;
    for (const url of [accountUrl, accountUrl.replace(/[^/]+$/, 'nobody')]) {
      for (const payload of [undefined, { contact: [] }, { status: 'deactivated' }])
        expectProblem(await client.signed(url, payload), 403, 'unauthorized');
      expectProblem(await client.signed(url.replace('/acct/', '/orders/')), 403, 'unauthorized');
    }
    expect((await otherClient.updateAccount(undefined)).body.status).toBe('valid');
  });
});

describe('deactivation (RFC 8555 §7.3.6)', () => {
  it('permanently closes the account and everything open in it', async () => {
    const account = await acme.account();
    const { chain, certificateUrl } = await acme.issue(account, [acme.host('kept')]);
    const placed = await account.newOrder([acme.host('open'), acme.host('open')]);
    const [proven = '', open = ''] = placed.body.authorizations;
    await acme.prove(account, proven);
    const orders = account.accountUrl?.replace('/acct/', '/orders/') ?? '';
    const reply = await account.updateAccount({ status: 'deactivated' });
    expect([reply.status, reply.body.status]).toEqual([200, 'deactivated']);

    const der = new X509Certificate(chain).raw;
    const refused: readonly AcmeReply[] = [
      await account.updateAccount(undefined),
      await account.updateAccount({ status: 'valid' }),
      await account.signed(orders),
      await account.order(placed.location ?? ''),
      await account.authorization(open),
      await account.newOrder([acme.host('never')]),
      await account.download(certificateUrl),
      await account.keyChange(generateAcmeKey()),
      await account.revoke(der),
      await account.newAccount(),
      await account.newAccount({ onlyReturnExisting: true }),
    ];
    for (const each of refused) expectProblem(each, 401, 'unauthorized');

    expect(await detailOf(account)).toMatchObject({
      status: 'deactivated',
      pendingOrders: 0,
      failedOrders: 1,
      validOrders: 1,
    });
    expect(await authorizationsOf(placed.location)).toEqual(['deactivated', 'deactivated']);
    const otherClient = await acme.client();
    expectProblem(await otherClient.revoke(der, { key: generateAcmeKey(), by: 'jwk' }), 403, 'unauthorized');
  });

  it('during challenge validation remains in effect when the validation succeeds', async () => {
    const account = await acme.account();
    const placed = await account.newOrder([acme.host('slow')]);
    const { body } = await account.authorization(placed.body.authorizations[0] ?? '');
    const challenge = body.challenges.find(({ type }) => type === 'http-01');
    const asked = new Promise<ServerResponse>((resolve) => {
      acme.http.misbehave((_request, response) => resolve(response));
    });
    const responding = account.respond(challenge?.url ?? '');
    const answer = await asked;
    acme.http.misbehave();
    expect((await account.updateAccount({ status: 'deactivated' })).status).toBe(200);
    answer.end(account.keyAuthorization(challenge?.token ?? ''));
    expect((await responding).body.status).not.toBe('valid');
    expect(await authorizationsOf(placed.location)).toEqual(['deactivated']);
  });

  async function authorizationsOf(orderUrl = ''): Promise<readonly string[]> {
    const rows = await acme.server.running.platform.database.query<{ status: string }>(
      'SELECT status FROM acme_authorization WHERE order_uuid = $1',
      [orderUrl.split('/').at(-1)],
    );
    return rows.map(({ status }) => status);
  }
});

describe('an administrator', () => {
  it('can disable an account immediately, and enable it again', async () => {
    const account = await acme.account();
    const params = await managedAccount(acme, account);
    const { acmeAccounts } = acme.server.client;
    const ready = await acme.readyOrder(account, [acme.host('stopped')]);
    await acmeAccounts.disableAcmeAccount({ params });
    const refused: readonly AcmeReply[] = [
      await account.updateAccount(undefined),
      await account.order(ready.url),
      await account.newOrder([acme.host('stopped')]),
      await account.finalize(ready.order.finalize, Buffer.from('csr')),
      await account.newAccount({ onlyReturnExisting: true }),
    ];
    for (const reply of refused) expectProblem(reply, 401, 'unauthorized');
    await acmeAccounts.enableAcmeAccount({ params });
    const order: AcmeReply<AcmeOrder> = await account.order(ready.url);
    expect(order.body.status).toBe('ready');
  });

  it('can permanently revoke an account and its open orders', async () => {
    const account = await acme.account();
    const params = await managedAccount(acme, account);
    const { acmeAccounts } = acme.server.client;
    const placed = await account.newOrder([acme.host('revoked')]);
    await acmeAccounts.revokeAcmeAccount({ params });
    expectProblem(await account.order(placed.location ?? ''), 401, 'unauthorized');
    expectProblem(await account.newAccount(), 401, 'unauthorized');
    await acmeAccounts.enableAcmeAccount({ params });
    expectProblem(await account.updateAccount(undefined), 401, 'unauthorized');
    expect(await detailOf(account)).toMatchObject({ status: 'revoked', pendingOrders: 0, failedOrders: 1 });
  });
});
