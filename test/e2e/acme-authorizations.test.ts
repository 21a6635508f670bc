// Authorization in ACME: objects belong to accounts, and accounts to directories; a validated authorization counts for
// further orders if the profile allows it, until it is deactivated (RFC 8555 §7.1.6, §7.5); directories are added and
// removed with their profiles.
import {
  makeSigningRequest,
  type AcmeAuthorization,
  type AcmeReply,
  type AcmeTestClient,
} from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';

const acme = sharedAcmeServer();
const unknown = '00000000-0000-7000-8000-000000000000';
let client: AcmeTestClient;
let otherClient: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
  otherClient = await acme.account();
});

const omitInstance = ({ status, text }: AcmeReply) => ({ status, text: text.replaceAll(/"instance":"[^"]*"/g, '') });

describe("a different account's objects (RFC 8555 §10.5)", () => {
  let urls: Record<'order' | 'finalize' | 'authorization' | 'challenge' | 'certificate' | 'alternate', string>;
  beforeAll(async () => {
    const { order, url, certificateUrl } = await acme.issue(client, [acme.host('mine')]);
    const [authorization = ''] = order.authorizations;
    const { body } = await client.authorization(authorization);
    const challenge = body.challenges[0]?.url ?? '';
    const alternate = `${certificateUrl}.chain-0123456789abcdef`;
    urls = { order: url, finalize: order.finalize, authorization, challenge, certificate: certificateUrl, alternate };
  });

  it.each([
    ['order', undefined],
    ['finalize', { csr: 'AAAA' }],
    ['authorization', undefined],
    ['authorization', { status: 'deactivated' }],
    ['challenge', undefined],
    ['challenge', {}],
    ['certificate', undefined],
    ['alternate', undefined],
  ] as const)('return the same response as nonexistent objects: %s', async (what, payload) => {
    const url = urls[what];
    const nobodys = url.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, unknown);
    expect(nobodys).not.toBe(url);
    const [foreign, missing] = [await otherClient.signed(url, payload), await otherClient.signed(nobodys, payload)];
    expectProblem(foreign, what === 'finalize' ? missing.status : 404, missing.problem ?? '');
    expect(omitInstance(foreign)).toEqual(omitInstance(missing));
  });

  it('cannot be accessed, and the attempt is recorded in the audit log with the account that made it', async () => {
    const prying = await acme.account();
    expectProblem(await prying.signed(urls.order), 404, 'malformed');
    const { items } = await acme.server.client.auditLogs.listAuditLogs({ body: { itemsPerPage: 50 } });
    const id = prying.accountUrl?.split('/').at(-1) ?? '';
    const failures = items.filter((item) => item.operationResult === 'failure' && JSON.stringify(item).includes(id));
    expect(failures).toMatchObject([{ resource: { type: 'acmeAccounts' } }]);
  });

  it('cannot be finalized even with a matching CSR', async () => {
    const name = acme.host('steal');
    const { order, url } = await acme.readyOrder(client, [name]);
    const { der } = await makeSigningRequest({ names: [name] });
    expectProblem(await otherClient.finalize(order.finalize, der), 404, 'malformed');
    expect((await client.order(url)).body.status).toBe('ready');
  });

  it.each([
    'order/x',
    'order/x/finalize',
    'authz/x',
    'chall/x',
    'chall/x.http-01',
    `chall/${unknown}.dns-02`,
    'cert/x',
    'orders/x',
  ])('are rejected if the identifier is malformed: %s', async (path) => {
    const url = client.accountUrl?.replace(/acct\/.*/, path) ?? '';
    const reply = await client.signed(url, path.startsWith('order/x/') ? { csr: 'AAAA' } : undefined);
    expectProblem(reply, path === 'orders/x' ? 403 : 404, path === 'orders/x' ? 'unauthorized' : 'malformed');
  });
});

describe("an RA profile's directory", () => {
  let path: IssuingPath;
  let directoryUrl: string;
  let profile: AcmeProfileOfTest;
  beforeAll(async () => {
    const { client: admin } = acme.server;
    path = await createAuthority(admin, { name: 'Second Root' });
    profile = await addAcmeProfile(acme, { raProfileUuid: '' });
    const active = await admin.raProfileAcme.activateAcmeForRaProfile({
      params: { ...path, acmeProfileUuid: profile.uuid },
      body: { issueCertificateAttributes: [], revokeCertificateAttributes: [] },
    });
    directoryUrl = active.directoryUrl ?? '';
  });

  it("issues with the RA profile's authority, under its own URL", async () => {
    const account = await acme.account({ directoryUrl });
    const base = directoryUrl.replace(/\/directory$/, '');
    expect(base).toMatch(/\/acme\/raProfile\/for-second-root$/);
    const { order, certificateUrl, chain } = await acme.issue(account, [acme.host('ra')]);
    const given = [account.accountUrl, certificateUrl, order.finalize, ...order.authorizations];
    for (const url of given) expect(url?.startsWith(`${base}/`), url).toBe(true);
    expect((await account.updateAccount(undefined)).links.get('index')).toEqual([directoryUrl]);
    expect(chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });

  it('has accounts that are separate from those in every other directory', async () => {
    const elsewhere = await acme.client({ directoryUrl, key: client.key });
    expectProblem(await elsewhere.newAccount({ onlyReturnExisting: true }), 400, 'accountDoesNotExist');
    const { newOrder } = await elsewhere.directory();
    expectProblem(await client.signed(newOrder, { identifiers: [] }), 400, 'accountDoesNotExist');
    const same = newOrder.replace(/\/raProfile\/[^/]+/, '/default');
    const own = await acme.account({ directoryUrl });
    expectProblem(await own.signed(same, { identifiers: [] }), 400, 'accountDoesNotExist');
    const kid = own.accountUrl?.replace(/\/raProfile\/[^/]+/, '/default');
    expectProblem(await own.signed(same, { identifiers: [] }, { header: { kid } }), 400, 'accountDoesNotExist');
  });

  it('is not blocked if the terms change, since they belong to the ACME profile', async () => {
    const account = await acme.account({ directoryUrl });
    await profile.edit({ raProfileUuid: '', termsOfServiceChangeDisable: true });
    expect((await account.newOrder([acme.host('terms')])).status).toBe(201);
    await profile.edit({ raProfileUuid: '', termsOfServiceChangeDisable: false });
  });

  it('is unavailable while the ACME profile is disabled', async () => {
    const account = await acme.account({ directoryUrl });
    const placed = await account.newOrder([acme.host('gone')]);
    await profile.disable();
    expectProblem(await account.request(directoryUrl), 400, 'malformed');
    expectProblem(await account.order(placed.location ?? ''), 400, 'malformed');
    await profile.enable();
    expect((await account.order(placed.location ?? '')).body.status).toBe('pending');
  });

  it('is unavailable while the RA profile is disabled', async () => {
    const { raProfiles, raProfileAcme } = acme.server.client;
    const params = await createAuthority(acme.server.client, { name: 'Third Root' });
    const { directoryUrl: url = '' } = await raProfileAcme.activateAcmeForRaProfile({
      params: { ...params, acmeProfileUuid: profile.uuid },
      body: { issueCertificateAttributes: [], revokeCertificateAttributes: [] },
    });
    await raProfiles.disableRaProfile({ params });
    expect(expectProblem(await client.request(url), 400, 'malformed').detail).toContain('disabled');
    await raProfiles.enableRaProfile({ params });
    expect((await client.request(url)).status).toBe(200);
  });
});

describe('an ACME profile', () => {
  it('serves nothing while it is disabled, and everything again once it is enabled', async () => {
    const profile = await addAcmeProfile(acme);
    const account = await acme.account(profile);
    const { url, order } = await acme.readyOrder(account, [acme.host('off')]);
    const { newNonce } = await account.directory();
    await profile.disable();
    const refused = [
      await account.request(profile.directoryUrl),
      await account.request(newNonce),
      await account.newAccount(),
      await account.order(url),
      await account.newOrder([acme.host('off')]),
      await account.finalize(order.finalize, Buffer.from('csr')),
    ];
    for (const reply of refused) expect(expectProblem(reply, 400, 'malformed').detail).toContain('disabled');
    await profile.enable();
    expect((await account.order(url)).body.status).toBe('ready');
  });

  it('has no directory without an RA profile', async () => {
    const { directoryUrl, name } = await addAcmeProfile(acme, { raProfileUuid: '' });
    expect(directoryUrl).toBe('');
    const url = acme.server.ready.acmeDirectory.replace('/default/', `/${name}/`);
    expect(expectProblem(await client.request(url), 400, 'malformed').detail).toContain('no RA profile');
  });
});

describe('an authorization (RFC 8555 §7.4, §7.5)', () => {
  it('is valid for one order by default', async () => {
    const name = acme.host('once');
    const first = await acme.issue(client, [name]);
    const second = await client.newOrder([name]);
    expect(second.body.status).toBe('pending');
    expect(second.body.authorizations).not.toEqual(first.order.authorizations);
  });

  it('is valid for further orders from the account if the profile allows it', async () => {
    const profile = await addAcmeProfile(acme, { authorizationReuse: 3600 });
    const [account, other] = [await acme.account(profile), await acme.account(profile)];
    const [proven, fresh] = [acme.host('proven'), acme.host('fresh')];
    const first = await acme.readyOrder(account, [proven]);
    const notAfter = new Date(Date.now() + 48 * 3_600_000).toISOString();
    const again = await account.newOrder({ identifiers: [{ type: 'dns', value: proven }], notAfter });
    expect(again.body).toMatchObject({ status: 'ready', authorizations: first.order.authorizations });
    expect(again.location).not.toBe(first.url);
    const { der } = await makeSigningRequest({ names: [proven] });
    expect((await account.finalize(again.body.finalize, der)).body.status).toBe('valid');

    const mixed = await account.newOrder([fresh, proven]);
    expect(mixed.body.status).toBe('pending');
    expect(mixed.body.authorizations[1]).toBe(first.order.authorizations[0]);
    await acme.prove(account, mixed.body.authorizations[0] ?? '');
    expect((await account.order(mixed.location ?? '')).body.status).toBe('ready');

    for (const [who, name] of [
      [other, proven],
      [account, `*.${proven}`],
      [account, `www.${proven}`],
    ] as const)
      expect((await who.newOrder([name])).body.status, name).toBe('pending');
  });

  it('outlives its order for as long as the profile specifies', async () => {
    const profile = await addAcmeProfile(acme, { authorizationReuse: 7200, validity: 600 });
    const account = await acme.account(profile);
    const { order } = await acme.readyOrder(account, [acme.host('long')]);
    const { body } = await account.authorization(order.authorizations[0] ?? '');
    const livesMs = Date.parse(body.expires ?? '') - Date.now();
    expect(livesMs).toBeGreaterThan(7_000_000);
    expect(livesMs).toBeLessThanOrEqual(7_200_000);
  });

  it('cannot be reused after it has failed or been deactivated', async () => {
    const profile = await addAcmeProfile(acme, { authorizationReuse: 3600 });
    const account = await acme.account(profile);
    const name = acme.host('given-up');
    const { order, url } = await acme.readyOrder(account, [name]);
    const notAfter = new Date(Date.now() + 48 * 3_600_000).toISOString();
    const sharing = await account.newOrder({ identifiers: [{ type: 'dns', value: name }], notAfter });
    expect([sharing.body.status, sharing.location === url]).toEqual(['ready', false]);
    await account.signed(order.authorizations[0] ?? '', { status: 'deactivated' });
    for (const each of [url, sharing.location ?? '']) expect((await account.order(each)).body.status).toBe('invalid');
    const { der } = await makeSigningRequest({ names: [name] });
    expectProblem(await account.finalize(order.finalize, der), 403, 'orderNotReady');
    expectProblem(await account.finalize(sharing.body.finalize, der), 403, 'orderNotReady');
    expect((await account.newOrder([name])).body.status).toBe('pending');
  });
});

describe('authorization deactivation (RFC 8555 §7.5.2)', () => {
  const deactivate = (url: string, payload: object = { status: 'deactivated' }) =>
    client.signed<AcmeAuthorization>(url, payload);

  it('also ends the order that is waiting for the authorization, whether or not it has been validated', async () => {
    for (const isProven of [false, true]) {
      const { location = '', body } = await client.newOrder([acme.host('end')]);
      const [url = ''] = body.authorizations;
      if (isProven) await acme.prove(client, url);
      const reply = await deactivate(url);
      expect([reply.status, reply.body.status], reply.text).toEqual([200, 'deactivated']);
      expect((await client.authorization(url)).body.status).toBe('deactivated');
      const order = await client.order(location);
      expect(order.body).toMatchObject({
        status: 'invalid',
        error: { type: expect.stringMatching(/:unauthorized$/) as string },
      });
      const challenge = await client.respond(reply.body.challenges[0]?.url ?? '');
      expect(challenge.body.status).not.toBe('processing');
      expect((await client.authorization(url)).body.status).toBe('deactivated');
    }
  });

  it('does not affect a certificate that was issued using the authorization', async () => {
    const { order, url } = await acme.issue(client, [acme.host('issued')]);
    await deactivate(order.authorizations[0] ?? '');
    const read = await client.order(url);
    expect(read.body).toMatchObject({ status: 'valid', certificate: order.certificate });
    expect((await client.download(order.certificate ?? '')).status).toBe(200);
  });

  it('has no effect if repeated, or after a failed validation', async () => {
    const { body } = await client.newOrder([acme.host('twice')]);
    const [url = ''] = body.authorizations;
    await deactivate(url);
    expect((await deactivate(url)).body.status).toBe('deactivated');
    const failed = await client.newOrder(['nowhere.acme.test']);
    const [failedUrl = ''] = failed.body.authorizations;
    const { body: authorization } = await client.authorization(failedUrl);
    await client.respond(authorization.challenges[0]?.url ?? '');
    expect((await deactivate(failedUrl)).body.status).toBe('invalid');
  });

  it.each([[{ status: 'valid' }], [{ status: 'revoked' }], [{}], [[]], ['deactivated']])(
    'is the only permitted change: %j is rejected',
    async (payload) => {
      const { body } = await client.newOrder([acme.host('change')]);
      const [url = ''] = body.authorizations;
      expectProblem(await client.signed(url, payload), 400, 'malformed');
      expect((await client.authorization(url)).body.status).toBe('pending');
    },
  );
});
