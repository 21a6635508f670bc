// ACME management over REST: profiles, activation on RA profiles, accounts and external account keys, and rejected
// requests.
import { readFile } from 'node:fs/promises';
import type { ApiError, Client } from '@signetry/client';
import { createAcmeTestClient, type AcmeTestClient } from '@signetry/testkit/acme';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { limitedUser } from './testing/limited-user.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const NO_ATTRIBUTES = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;
let made = 0;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

const newName = (): string => `acme-${++made}`;
async function addProfile(facts: { readonly name?: string; readonly raProfileUuid?: string } = {}): Promise<string> {
  const { uuid } = await client.acmeProfiles.createAcmeProfile({
    body: { name: newName(), ...NO_ATTRIBUTES, ...facts },
  });
  return uuid;
}
function call(method: string, target: string, body?: unknown) {
  const text = body === undefined ? '' : JSON.stringify(body);
  return send(server.ready.http, `/api${target}`, {
    method,
    headers: {
      authorization: `Bearer ${server.ready.token}`,
      ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
    body: text,
  });
}

describe('the ACME profile created at the first start', () => {
  it('exists, is enabled, and its directory responds', async () => {
    const profile = (await client.acmeProfiles.listAcmeProfiles()).find(({ name }) => name === 'default');
    expect(profile).toMatchObject({ enabled: true, raProfile: { uuid: path.raProfileUuid, name: 'default' } });
    expect(new URL(profile?.directoryUrl ?? '').pathname).toBe('/api/v1/protocols/acme/default/directory');
    const answer = await send(server.ready.http, '/api/v1/protocols/acme/default/directory');
    expect(answer.status).toBe(200);
  });
});

describe('an ACME profile', () => {
  it('can be created, edited, enabled and removed', async () => {
    const name = newName();
    const { uuid } = await client.acmeProfiles.createAcmeProfile({
      body: { name, ...NO_ATTRIBUTES, raProfileUuid: path.raProfileUuid, description: 'web', authorizationReuse: 60 },
    });
    const params = { uuid };
    expect(await client.acmeProfiles.getAcmeProfile({ params })).toMatchObject({
      name,
      enabled: false,
      description: 'web',
      dnsResolverPort: '53',
      validity: 36_000,
      retryInterval: 30,
      authorizationReuse: 60,
      raProfile: { uuid: path.raProfileUuid, authorityInstanceUuid: path.authorityUuid },
    });
    await client.acmeProfiles.enableAcmeProfile({ params });
    const edited = await client.acmeProfiles.editAcmeProfile({
      params,
      body: {
        ...NO_ATTRIBUTES,
        dnsResolverIp: '192.0.2.53',
        dnsResolverPort: '5353',
        termsOfServiceChangeDisable: true,
      },
    });
    expect(edited).toMatchObject({
      enabled: true,
      dnsResolverIp: '192.0.2.53',
      dnsResolverPort: '5353',
      termsOfServiceChangeDisable: true,
      authorizationReuse: 60,
    });
    expect(edited).not.toHaveProperty('raProfile');
    expect(edited).not.toHaveProperty('directoryUrl');
    await client.acmeProfiles.updateRaProfile_AcmeProfile({ params: { uuid, raProfileUuid: path.raProfileUuid } });
    expect((await client.acmeProfiles.getAcmeProfile({ params })).directoryUrl).toContain(`/acme/${name}/directory`);
    await client.acmeProfiles.deleteAcmeProfile({ params });
    await expect(client.acmeProfiles.getAcmeProfile({ params })).rejects.toMatchObject({ status: 404 });
  });

  it('returns the status codes that API clients expect', async () => {
    const uuid = await addProfile();
    const statuses = [
      await call('POST', '/v1/acmeProfiles', { name: newName(), ...NO_ATTRIBUTES }),
      await call('PATCH', `/v1/acmeProfiles/${uuid}/enable`),
      await call('PATCH', `/v1/acmeProfiles/${uuid}/disable`),
      await call('PATCH', '/v1/acmeProfiles/enable', [uuid]),
      await call('PATCH', '/v1/acmeProfiles/disable', [uuid]),
      await call('PATCH', `/v1/acmeProfiles/${uuid}/raprofile/${path.raProfileUuid}`),
      await call('DELETE', '/v1/acmeProfiles/delete', [NOBODY]),
      await call('DELETE', '/v1/acmeProfiles/delete/force', [uuid]),
    ].map(({ status, text }) => [status, text === '' || text === '[]' || text.startsWith('{"uuid"')]);
    expect(statuses).toEqual([201, 204, 204, 204, 204, 204, 200, 200].map((status) => [status, true]));
  });

  it.each([
    ['a name that is taken', { name: 'default' }, 400, /default already exists/],
    ['a name with a space', { name: 'a b' }, 400, /appears in URLs/],
    ['the name that begins the addresses of RA profiles', { name: 'raProfile' }, 400, /raProfile is reserved/],
    ['a blank name', { name: ' ' }, 400, /name: must not be blank/],
    ['an RA profile that does not exist', { raProfileUuid: NOBODY }, 404, /RA profile/],
    ['an owner that does not exist', { certificateAssociations: { ownerUuid: NOBODY } }, 404, /User/],
    ['a negative interval', { retryInterval: -1 }, 400, /retryInterval: must not be negative/],
    ['a resolver that is no address', { dnsResolverIp: 'dns.example' }, 400, /dnsResolverIp/],
    ['a port beyond all ports', { dnsResolverPort: '70000' }, 400, /dnsResolverPort/],
    ['a link to something else than a page', { websiteUrl: 'javascript:alert(1)' }, 400, /websiteUrl/],
    ['an object where text belongs', { dnsResolverPort: { port: 53 } }, 400, /dnsResolverPort/],
    ['no list of attributes', { issueCertificateAttributes: {} }, 400, /issueCertificateAttributes: .*expected array/],
  ])('is rejected for %s', async (_what, facts, status, message) => {
    const answer = await call('POST', '/v1/acmeProfiles', { name: newName(), ...NO_ATTRIBUTES, ...facts });
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(message)]);
  });

  it('cannot be enabled or disabled twice', async () => {
    const params = { uuid: await addProfile() };
    await client.acmeProfiles.enableAcmeProfile({ params });
    await expect(client.acmeProfiles.enableAcmeProfile({ params })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('already enabled'),
    });
    await client.acmeProfiles.bulkEnableAcmeProfile({ body: [params.uuid, NOBODY] });
    expect((await client.acmeProfiles.getAcmeProfile({ params })).enabled).toBe(true);
  });
});

describe('ACME for an RA profile', () => {
  it('can be activated, is shown with the RA profile, and prevents removal of the ACME profile', async () => {
    const own = await createAuthority(client, { name: 'Authority for ACME' });
    const acmeProfileUuid = await addProfile();
    expect(await client.raProfileAcme.getAcmeForRaProfile({ params: own })).toMatchObject({ acmeAvailable: false });
    const active = await client.raProfileAcme.activateAcmeForRaProfile({
      params: { ...own, acmeProfileUuid },
      body: NO_ATTRIBUTES,
    });
    expect(active).toMatchObject({ uuid: acmeProfileUuid, acmeAvailable: true, issueCertificateAttributes: [] });
    expect(new URL(active.directoryUrl ?? '').pathname).toBe(
      '/api/v1/protocols/acme/raProfile/for-authority-for-acme/directory',
    );
    const raProfile = await client.raProfiles.getRaProfile({ params: own });
    expect(raProfile.enabledProtocols).toEqual(['ACME']);

    const params = { uuid: acmeProfileUuid };
    const { name } = await client.acmeProfiles.getAcmeProfile({ params });
    const message = 'Dependent RA Profiles (1): for-authority-for-acme';
    await expect(client.acmeProfiles.deleteAcmeProfile({ params })).rejects.toMatchObject({ status: 400, message });
    const body = [acmeProfileUuid];
    expect(await client.acmeProfiles.bulkDeleteAcmeProfile({ body })).toEqual([{ ...params, name, message }]);

    await client.raProfileAcme.deactivateAcmeForRaProfile({ params: own });
    expect((await client.raProfiles.getRaProfile({ params: own })).enabledProtocols).toEqual([]);
    await client.raProfileAcme.activateAcmeForRaProfile({ params: { ...own, acmeProfileUuid }, body: NO_ATTRIBUTES });
    expect(await client.acmeProfiles.forceDeleteACMEProfiles({ body })).toEqual([]);
    expect(await client.raProfileAcme.getAcmeForRaProfile({ params: own })).toMatchObject({ acmeAvailable: false });
  });

  it('is removed along with the RA profile; an ACME profile that used it is left without one', async () => {
    const own = await createAuthority(client, { name: 'Going authority' });
    const uuid = await addProfile({ raProfileUuid: own.raProfileUuid });
    await client.raProfileAcme.activateAcmeForRaProfile({
      params: { ...own, acmeProfileUuid: uuid },
      body: NO_ATTRIBUTES,
    });
    await client.raProfiles.deleteRaProfile({ params: own });
    expect(await client.acmeProfiles.getAcmeProfile({ params: { uuid } })).not.toHaveProperty('raProfile');
    expect(await client.acmeProfiles.bulkDeleteAcmeProfile({ body: [uuid] })).toEqual([]);
  });

  it('is rejected with 404 for nonexistent profiles, and with a list of problems for unknown attributes', async () => {
    const acmeProfileUuid = await addProfile();
    const activate = (params: IssuingPath & { acmeProfileUuid: string }, body = NO_ATTRIBUTES) =>
      client.raProfileAcme.activateAcmeForRaProfile({ params, body });
    await expect(activate({ ...path, acmeProfileUuid: NOBODY })).rejects.toMatchObject({ status: 404 });
    await expect(activate({ ...path, raProfileUuid: NOBODY, acmeProfileUuid })).rejects.toMatchObject({ status: 404 });
    await expect(activate({ ...path, authorityUuid: NOBODY, acmeProfileUuid })).rejects.toMatchObject({ status: 404 });
    const unknown = { uuid: NOBODY, name: 'data_unknown', contentType: 'string', content: [{ data: 'x' }] };
    const target = `/v1/authorities/${path.authorityUuid}/raProfiles/${path.raProfileUuid}/protocols/acme/activate/${acmeProfileUuid}`;
    const answer = await call('PATCH', target, { ...NO_ATTRIBUTES, issueCertificateAttributes: [unknown] });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([422, [expect.stringContaining('data_unknown')]]);
  });
});

describe('external account keys', () => {
  it('are created, listed without their secrets, and revoked', async () => {
    const uuid = await addProfile();
    const issued = await client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body: { description: 'web team' } });
    expect(issued).toMatchObject({ state: 'usable', reusable: false, boundAccounts: 0, createdBy: 'admin' });
    expect(Buffer.from(issued.macKey, 'base64url')).toHaveLength(64);
    const listed = await client.acmeEabKeys.listAcmeEabKeys({ params: { uuid } });
    expect(listed).toMatchObject([{ uuid: issued.uuid, keyId: issued.keyId, description: 'web team' }]);
    expect(JSON.stringify(listed)).not.toContain(issued.macKey);
    await client.acmeEabKeys.revokeAcmeEabKey({ params: { uuid, keyUuid: issued.uuid } });
    expect(await client.acmeEabKeys.listAcmeEabKeys({ params: { uuid } })).toMatchObject([{ state: 'revoked' }]);
    const { items } = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 100 } });
    expect(JSON.stringify(items)).toContain(issued.keyId);
    expect(JSON.stringify(items)).not.toContain(issued.macKey);
  });

  it('are returned with headers that prevent caching', async () => {
    const answer = await call('POST', `/x/v1/acmeProfiles/${await addProfile()}/eabKeys`, {});
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
  });

  it('are rejected if they expire in the past or refer to nonexistent profiles or keys', async () => {
    const uuid = await addProfile();
    const keys = client.acmeEabKeys;
    const past = keys.createAcmeEabKey({ params: { uuid }, body: { expiresAt: '2020-01-01T00:00:00Z' } });
    await expect(past).rejects.toMatchObject({ status: 422, problems: [expect.stringContaining('is in the past')] });
    await expect(keys.createAcmeEabKey({ params: { uuid: NOBODY }, body: {} })).rejects.toMatchObject({ status: 404 });
    await expect(keys.listAcmeEabKeys({ params: { uuid: NOBODY } })).rejects.toMatchObject({ status: 404 });
    await expect(keys.revokeAcmeEabKey({ params: { uuid, keyUuid: NOBODY } })).rejects.toMatchObject({ status: 404 });
  });
});

describe('accounts', () => {
  it('that do not exist return 404 individually and are skipped in bulk', async () => {
    const params = { acmeProfileUuid: await addProfile(), acmeAccountUuid: NOBODY };
    const accounts = client.acmeAccounts;
    for (const attempt of [
      accounts.getAcmeAccount,
      accounts.revokeAcmeAccount,
      accounts.enableAcmeAccount,
      accounts.disableAcmeAccount,
    ])
      await expect(attempt({ params })).rejects.toMatchObject({ status: 404 });
    await accounts.bulkRevokeAcmeAccount({ body: [NOBODY] });
    await accounts.bulkEnableAcmeAccount({ body: [NOBODY] });
    await accounts.bulkDisableAcmeAccount({ body: [NOBODY] });
    expect(await accounts.listAcmeAccounts()).toEqual([]);
  });
});

describe("an administrator's change", () => {
  /** A client for the directory of an enabled profile. */
  async function clientOf(uuid: string): Promise<AcmeTestClient> {
    const { directoryUrl = '' } = await client.acmeProfiles.getAcmeProfile({ params: { uuid } });
    const acme = createAcmeTestClient({ directoryUrl, ca: await readFile(server.ready.rootCertificate) });
    onTestFinished(() => acme.close());
    return acme;
  }
  async function servedProfile(facts: object = {}): Promise<string> {
    const uuid = await addProfile({ raProfileUuid: path.raProfileUuid, ...facts });
    await client.acmeProfiles.enableAcmeProfile({ params: { uuid } });
    return uuid;
  }
  const onlyAccount = async (acmeProfileUuid: string) => {
    const accounts = await client.acmeAccounts.listAcmeAccounts();
    const account = accounts.find((each) => each.acmeProfileUuid === acmeProfileUuid);
    return { acmeProfileUuid, acmeAccountUuid: account?.uuid ?? expect.unreachable('there is no account') };
  };
  const problemOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { type?: string }).type?.split(':').at(-1),
  ];

  it("to an account takes effect with the account's next request", async () => {
    const uuid = await servedProfile();
    const acme = await clientOf(uuid);
    expect((await acme.newAccount()).status).toBe(201);
    const params = await onlyAccount(uuid);
    const placed = await acme.newOrder(['a.example']);
    expect(placed.status).toBe(201);
    expect(await client.acmeAccounts.getAcmeAccount({ params })).toMatchObject({ pendingOrders: 1, totalOrders: 1 });

    await client.acmeAccounts.disableAcmeAccount({ params });
    expect(problemOf(await acme.newOrder(['b.example']))).toEqual([401, 'unauthorized']);
    await client.acmeAccounts.enableAcmeAccount({ params });
    expect((await acme.order(placed.location ?? '')).body.status).toBe('pending');

    await client.acmeAccounts.revokeAcmeAccount({ params });
    expect(problemOf(await acme.order(placed.location ?? ''))).toEqual([401, 'unauthorized']);
    expect(await client.acmeAccounts.getAcmeAccount({ params })).toMatchObject({
      status: 'revoked',
      pendingOrders: 0,
      failedOrders: 1,
      totalOrders: 1,
    });
  });

  it('to a profile takes effect with the next request', async () => {
    const uuid = await servedProfile();
    const acme = await clientOf(uuid);
    await acme.newAccount();
    expect((await acme.newOrder(['a.example'])).status).toBe(201);
    await client.acmeProfiles.disableAcmeProfile({ params: { uuid } });
    expect(problemOf(await acme.newOrder(['a.example']))).toEqual([400, 'malformed']);
    await client.acmeProfiles.enableAcmeProfile({ params: { uuid } });
    expect((await acme.newOrder(['a.example'])).status).toBe(201);
    await client.acmeProfiles.deleteAcmeProfile({ params: { uuid } });
    expect(problemOf(await acme.newOrder(['a.example']))).toEqual([400, 'malformed']);
    expect((await client.acmeAccounts.listAcmeAccounts()).filter((each) => each.acmeProfileUuid === uuid)).toEqual([]);
  });

  it('to external account keys determines who can create an account', async () => {
    const uuid = await servedProfile({ externalAccountRequired: true });
    const issued = await client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body: {} });
    const [acme, second] = [await clientOf(uuid), await clientOf(uuid)];
    expect(problemOf(await acme.newAccount())).toEqual([403, 'externalAccountRequired']);
    const bound = await acme.newAccount({ externalAccountBinding: await acme.eab(issued) });
    expect(bound.status, bound.text).toBe(201);
    const again = await second.newAccount({ externalAccountBinding: await second.eab(issued) });
    expect(problemOf(again)).toEqual([403, 'unauthorized']);
    const params = await onlyAccount(uuid);
    expect((await client.acmeAccounts.getAcmeAccount({ params })).externalAccountKeyId).toBe(issued.keyId);
    expect(await client.acmeEabKeys.listAcmeEabKeys({ params: { uuid } })).toMatchObject([
      { keyId: issued.keyId, state: 'used', boundAccounts: 1 },
    ]);
  });
});

describe('a user with limited permissions', () => {
  /** Permission that the error names. */
  const rejectionOf = async (attempt: () => Promise<unknown>): Promise<string> => {
    const error = await attempt().then(
      () => expect.unreachable('the call succeeded'),
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    return (error as ApiError).message; // Asserted above.
  };

  it('can read but not change', async () => {
    const uuid = await addProfile();
    const reader = await limitedUser(server, [
      ['acmeProfiles', 'list'],
      ['acmeProfiles', 'detail'],
    ]);
    expect((await reader.acmeProfiles.listAcmeProfiles()).length).toBeGreaterThan(0);
    expect(await reader.acmeEabKeys.listAcmeEabKeys({ params: { uuid } })).toEqual([]);
    const refused: readonly [() => Promise<unknown>, string][] = [
      [
        () => reader.acmeProfiles.createAcmeProfile({ body: { name: newName(), ...NO_ATTRIBUTES } }),
        'create on acmeProfiles',
      ],
      [() => reader.acmeProfiles.editAcmeProfile({ params: { uuid }, body: NO_ATTRIBUTES }), 'update on acmeProfiles'],
      [() => reader.acmeProfiles.enableAcmeProfile({ params: { uuid } }), 'enable on acmeProfiles'],
      [() => reader.acmeProfiles.deleteAcmeProfile({ params: { uuid } }), 'delete on acmeProfiles'],
      [() => reader.acmeProfiles.forceDeleteACMEProfiles({ body: [uuid] }), 'delete on acmeProfiles'],
      [() => reader.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body: {} }), 'update on acmeProfiles'],
      [() => reader.acmeAccounts.listAcmeAccounts(), 'list on acmeAccounts'],
      [() => reader.acmeAccounts.bulkRevokeAcmeAccount({ body: [] }), 'revoke on acmeAccounts'],
      [() => reader.raProfileAcme.getAcmeForRaProfile({ params: path }), 'detail on authorities'],
    ];
    for (const [attempt, permission] of refused) expect(await rejectionOf(attempt)).toContain(permission);
    expect((await client.acmeProfiles.getAcmeProfile({ params: { uuid } })).enabled).toBe(false);
  });

  it('cannot use ACME to get certificates from an RA profile that they cannot see', async () => {
    const author = await limitedUser(server, [
      ['acmeProfiles', 'create'],
      ['acmeProfiles', 'update'],
    ]);
    const own = await author.acmeProfiles.createAcmeProfile({ body: { name: newName(), ...NO_ATTRIBUTES } });
    const { raProfileUuid } = path;
    for (const attempt of [
      () => author.acmeProfiles.createAcmeProfile({ body: { name: newName(), ...NO_ATTRIBUTES, raProfileUuid } }),
      () => author.acmeProfiles.editAcmeProfile({ params: own, body: { ...NO_ATTRIBUTES, raProfileUuid } }),
      () => author.acmeProfiles.updateRaProfile_AcmeProfile({ params: { ...own, raProfileUuid } }),
    ])
      expect(await rejectionOf(attempt)).toContain('detail on raProfiles');
  });

  it('is rejected without credentials', async () => {
    const anonymous = server.clientOf();
    await expect(anonymous.acmeProfiles.listAcmeProfiles()).rejects.toMatchObject({ status: 401 });
    await expect(anonymous.acmeAccounts.listAcmeAccounts()).rejects.toMatchObject({ status: 401 });
  });
});
