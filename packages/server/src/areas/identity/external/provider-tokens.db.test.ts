import { createHmac, randomUUID } from 'node:crypto';
import type { ExternalIdentity, ProviderProvisioning, RoleDetailDto, RoleDto, UserDetailDto } from '@signetry/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gatekeeperFixture } from '../testing/gatekeeper-fixture.ts';
import { contextOf } from '../testing/identity-fixture.ts';
import { ecKey, rsaKey, startKeyServer, type IssuerKey, type KeyServer } from '../testing/key-server.ts';
import { LONGEST_USE_MS, PAUSE_MS, REFRESH_MS } from '../providers/key-sets.ts';

const { database, direct, http, close } = await gatekeeperFixture();
const { clock, call } = direct;
const key = ecKey('first');
let issuer: KeyServer;

const NOTHING_MADE: ProviderProvisioning = {
  createUnknownUsers: false,
  createUnknownRoles: false,
  syncPolicy: 'create-only',
  grantedRoleUuids: [],
};
const params = { providerName: 'corporate' };

beforeAll(async () => {
  issuer = await startKeyServer(key);
});
afterAll(async () => {
  await issuer.close();
  await close();
});

const settings = (more: object = {}) => ({
  issuerUrl: issuer.origin,
  jwkSetUrl: `${issuer.origin}/keys`,
  audiences: ['signetry'],
  ...more,
});
const save = (more: object = {}) => call('updateOAuth2ProviderSettings', { params, body: settings(more) });
const provision = (more: Partial<ProviderProvisioning>) =>
  call('updateProviderProvisioning', { params, body: { ...NOTHING_MADE, ...more } });
const profile = (token: string) => http.send('/api/v1/auth/profile', { headers: { authorization: `Bearer ${token}` } });
const statusOf = async (token: string) => (await profile(token)).status;
const token = (claims: object = {}, more: { key?: IssuerKey; header?: object } = {}) =>
  issuer.token({ sub: 'subject-1', username: 'erin', ...claims }, { now: clock.now(), ...more });
const seconds = (offset: number) => Math.floor(clock.now().getTime() / 1000) + offset;
const users = () => call<UserDetailDto[]>('listUsers');
const userNamed = async (username: string) => (await users()).find((user) => user.username === username);
const detailOf = (userUuid = '') => call<UserDetailDto>('getUser', { params: { userUuid } });
const roleNames = async (username: string) =>
  (await detailOf((await userNamed(username))?.uuid)).roles.map(({ name }) => name);

let made = 0;
const newPerson = () => ({ sub: `person-${++made}`, username: `person ${made}` });

beforeEach(async () => {
  issuer.state.keys = [key];
  issuer.state.isDown = false;
  issuer.state.userInfo = undefined;
  clock.advance(PAUSE_MS + REFRESH_MS);
  await save();
  await provision({ createUnknownUsers: true });
});

describe('a token of a provider', () => {
  it('signs its user in, who is made once and has no rights', async () => {
    const person = newPerson();
    const answer = await profile(await token({ ...person, given_name: 'Erin', email: 'erin@example.org' }));
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { username: person.username, firstName: 'Erin', email: 'erin@example.org', roles: [] },
    ]);
    expect(await statusOf(await token(person))).toBe(200);
    expect((await users()).filter(({ username }) => username === person.username)).toHaveLength(1);
  });

  it('needs no further fetch of keys when it comes again', async () => {
    const person = await token(newPerson());
    await statusOf(person);
    const { asked } = issuer.state;
    for (let time = 0; time < 5; time += 1) expect(await statusOf(person)).toBe(200);
    expect(issuer.state.asked).toBe(asked);
  });

  it.each([
    ['of another audience', () => token({ aud: 'elsewhere' })],
    ['without an audience', () => token({ aud: undefined })],
    ['of another issuer', () => token({ iss: 'https://evil.example' })],
    ['that has expired', () => token({ exp: seconds(-31) })],
    ['that never expires', () => token({ exp: undefined })],
    ['that is issued in the future', () => token({ iat: seconds(60) })],
    ['that does not count yet', () => token({ nbf: seconds(60) })],
    ['without a subject', () => token({ sub: undefined })],
    ['without a name', () => token({ username: undefined })],
    ['for another purpose', () => token({}, { header: { typ: 'logout+jwt' } })],
    ['bound to a key of its client', () => token({ cnf: { jkt: 'x' } })],
    ['with an extension nobody knows', () => token({}, { header: { crit: ['x'], x: 1 } })],
    ['signed by another key of the same name', () => token({}, { key: ecKey('first') })],
    ['whose roles are no list', () => token({ roles: 'admin' })],
  ])('%s is refused, and nobody is told why', async (_what, make) => {
    const answer = await profile(await make());
    expect(answer.status).toBe(401);
    expect(answer.json['message']).toContain('the bearer token is unknown, expired or revoked');
    expect(answer.text).not.toMatch(/audience|issuer|"exp"|claim|erin/);
  });

  it('is refused where it is an ID token, and accepted where it only looks similar', async () => {
    await save({ clientId: 'console', audiences: [] });
    const forClient = { aud: 'console', nonce: 'n' };
    for (const claims of [
      forClient,
      { ...forClient, aud: ['console'] },
      { aud: 'console', at_hash: 'h' },
      { aud: 'console', c_hash: 'h' },
      { typ: 'ID' },
    ])
      expect(await statusOf(await token({ ...newPerson(), ...claims })), JSON.stringify(claims)).toBe(401);
    for (const claims of [{ aud: 'console' }, { ...forClient, aud: ['console', 'signetry'] }, { nonce: 'n' }])
      expect(await statusOf(await token({ ...newPerson(), ...claims })), JSON.stringify(claims)).toBe(200);
    const header = { typ: 'at+jwt' };
    expect(await statusOf(await token({ ...newPerson(), ...forClient }, { header }))).toBe(200);
  });

  it('must be of the type at+jwt where the settings of the provider say so', async () => {
    await provision({ createUnknownUsers: true, requireAccessTokenType: true });
    expect(await statusOf(await token(newPerson()))).toBe(401);
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt'])
      expect(await statusOf(await token(newPerson(), { header: { typ } }))).toBe(200);
    await provision({ createUnknownUsers: true });
    expect(await call('getProviderProvisioning', { params })).toMatchObject({ requireAccessTokenType: true });
    await provision({ createUnknownUsers: true, requireAccessTokenType: false });
    expect(await statusOf(await token(newPerson()))).toBe(200);
  });

  it('signs in although its mail address is malformed, which is not stored', async () => {
    const person = newPerson();
    const answer = await profile(await token({ ...person, email: 'erin@example.org\r\nBcc: eve@example.org' }));
    expect(answer.status).toBe(200);
    expect((await userNamed(person.username))?.email).toBeUndefined();
  });

  it('may be off by the skew of the provider, and no more', async () => {
    expect(await statusOf(await token({ ...newPerson(), exp: seconds(-28), iat: seconds(-300) }))).toBe(200);
    expect(await statusOf(await token({ ...newPerson(), nbf: seconds(28) }))).toBe(200);
    await save({ skew: 0 });
    expect(await statusOf(await token({ ...newPerson(), exp: seconds(-2) }))).toBe(401);
  });

  it('ends when it expires, although it was let in before', async () => {
    const short = await token({ ...newPerson(), exp: seconds(60) });
    expect(await statusOf(short)).toBe(200);
    clock.advance(60_000 + 31_000);
    expect(await statusOf(short)).toBe(401);
  });

  it('is never accepted with the algorithm none', async () => {
    const [, claims] = (await token()).split('.');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'first', typ: 'JWT' })).toString('base64url');
      expect(await statusOf(`${header}.${claims}.`)).toBe(401);
    }
  });

  it('cannot be made with a public key as the secret of an HMAC', async () => {
    const rsa = rsaKey('rsa');
    issuer.state.keys = [rsa];
    await save();
    const [, claims] = (await token(newPerson(), { key: rsa })).split('.');
    for (const form of ['pem', 'der'] as const)
      for (const alg of ['HS256', 'RS256']) {
        const secret = rsa.publicKey.export({ type: 'spki', format: form });
        const header = Buffer.from(JSON.stringify({ alg, kid: 'rsa', typ: 'JWT' })).toString('base64url');
        const mac = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url');
        expect(await statusOf(`${header}.${claims}.${mac}`)).toBe(401);
      }
    expect(await statusOf(await token(newPerson(), { key: rsa }))).toBe(200);
  });

  it('uses the algorithm of its key only', async () => {
    const rsa = rsaKey('rsa');
    issuer.state.keys = [rsa];
    await save();
    expect(await statusOf(await token(newPerson(), { key: { ...rsa, alg: 'PS256' } }))).toBe(401);
  });

  it('does not keep tokens of the platform from working', async () => {
    const { token: own } = await direct.area.createAccessToken({ username: 'admin', name: 'own' });
    expect(await statusOf(own.reveal())).toBe(200);
  });

  it('counts no longer when the provider is removed or its settings change', async () => {
    const person = await token(newPerson());
    expect(await statusOf(person)).toBe(200);
    await save({ audiences: ['another'] });
    expect(await statusOf(person)).toBe(401);
    await save();
    expect(await statusOf(person)).toBe(200);
    await call('removeOAuth2Provider', { params });
    expect(await statusOf(person)).toBe(401);
  });
});

describe('keys of a provider', () => {
  it('that are new are fetched when a token names them, once in a while', async () => {
    const second = ecKey('second');
    issuer.state.keys = [key, second];
    expect(await statusOf(await token(newPerson(), { key: second }))).toBe(200);
    const { asked } = issuer.state;
    for (let time = 0; time < 5; time += 1)
      expect(await statusOf(await token(newPerson(), { key: ecKey(randomUUID()) }))).toBe(401);
    expect(issuer.state.asked).toBe(asked);
  });

  it('that were withdrawn end the tokens they signed', async () => {
    const person = await token({ ...newPerson(), exp: seconds(3_600) });
    expect(await statusOf(person)).toBe(200);
    issuer.state.keys = [ecKey('second')];
    clock.advance(REFRESH_MS + 1_000);
    await expect.poll(() => statusOf(person)).toBe(401);
  });

  it('count while the provider is down, for an hour; then the answer is 503', async () => {
    const person = { ...newPerson(), exp: seconds(8_000) };
    expect(await statusOf(await token(person))).toBe(200);
    issuer.state.isDown = true;
    clock.advance(LONGEST_USE_MS - 10_000);
    expect(await statusOf(await token(person))).toBe(200);
    clock.advance(PAUSE_MS + 11_000);
    const answer = await profile(await token(person));
    expect([answer.status, answer.text]).toMatchObject([503, expect.stringContaining('corporate')]);
    issuer.state.isDown = false;
    clock.advance(PAUSE_MS + 1_000);
    expect(await statusOf(await token(person))).toBe(200);
  });

  it('are shown with the settings, and have to be there when these are saved', async () => {
    expect(await call('getOAuth2ProviderSettings', { params })).toMatchObject({ jwkSetKeys: [{ kid: 'first' }] });
    issuer.state.isDown = true;
    await expect(save()).rejects.toThrow(/JWK set URL .* of the provider corporate cannot be reached/);
    issuer.state.isDown = false;
    issuer.state.keys = [];
    await expect(save()).rejects.toThrow('no key that signatures can be checked with');
  });
});

describe('the user of a token', () => {
  it('is refused while nobody is made for the provider, until an administrator links somebody', async () => {
    await provision({});
    const person = newPerson();
    expect(await statusOf(await token(person))).toBe(401);
    const { uuid } = await call<UserDetailDto>('createUser', { body: { username: `local ${made}` } });
    const body = { providerName: 'corporate', subject: person.sub };
    const linked = await call<ExternalIdentity>('linkExternalIdentity', { params: { userUuid: uuid }, body });
    expect((await profile(await token(person))).json['username']).toBe(`local ${made}`);
    expect(await call('listExternalIdentities', { params: { userUuid: uuid } })).toEqual([linked]);
    await expect(call('linkExternalIdentity', { params: { userUuid: uuid }, body })).rejects.toMatchObject({
      code: 'already_exists',
    });
    await call('unlinkExternalIdentity', { params: { userUuid: uuid, uuid: linked.uuid } });
    expect(await statusOf(await token(person))).toBe(401);
  });

  it.each(['admin', 'acme', 'localhost', 'superadmin'])('is not the user %s by name', async (username) => {
    const before = await users();
    const status = await statusOf(await token({ sub: `thief of ${username}`, username }));
    // There is a role, but no user of the name superadmin.
    expect(status).toBe(username === 'superadmin' ? 200 : 401);
    expect(await users()).toHaveLength(before.length + (username === 'superadmin' ? 1 : 0));
    expect(username === 'superadmin' ? await roleNames(username) : []).toEqual([]);
  });

  it('is not one of the platform, even by a link', async () => {
    const { uuid: userUuid = '' } = (await userNamed('acme')) ?? {};
    const body = { providerName: 'corporate', subject: 'machine' };
    await expect(call('linkExternalIdentity', { params: { userUuid }, body })).rejects.toThrow(
      'belongs to the platform',
    );
  });

  it('is linked by nobody with fewer rights than the user', async () => {
    const { uuid: userUuid = '' } = (await userNamed('admin')) ?? {};
    const context = contextOf({ uuid: randomUUID(), username: 'clerk' }, [{ resource: 'users', action: 'update' }]);
    const body = { providerName: 'corporate', subject: 'clerk' };
    await expect(call('linkExternalIdentity', { params: { userUuid }, body, context })).rejects.toMatchObject({
      code: 'access_denied',
    });
  });

  it('is the same when the name at the provider changes', async () => {
    const person = newPerson();
    await statusOf(await token(person));
    const answer = await profile(await token({ ...person, username: 'renamed' }));
    expect([answer.status, answer.json['username']]).toEqual([200, person.username]);
  });

  it('is out at once when disabled, and may come again when enabled', async () => {
    const person = newPerson();
    const bearer = await token(person);
    expect(await statusOf(bearer)).toBe(200);
    const { uuid: userUuid = '' } = (await userNamed(person.username)) ?? {};
    await call('disableUser', { params: { userUuid } });
    expect(await statusOf(bearer)).toBe(401);
    expect(await statusOf(await token(person))).toBe(401);
    await call('enableUser', { params: { userUuid } });
    expect(await statusOf(bearer)).toBe(200);
  });

  it('is made of the named claims only', async () => {
    const person = newPerson();
    const bearer = await token({
      ...person,
      enabled: false,
      systemUser: true,
      uuid: randomUUID(),
      is_system: true,
      allowAllResources: true,
    });
    expect((await profile(bearer)).json).toMatchObject({ enabled: true, systemUser: false, roles: [] });
  });

  it('is identified by a token whose signature is right, and by no other', async () => {
    const person = newPerson();
    const bearer = await token(person);
    await statusOf(bearer);
    const identify = (authenticationToken: string) => call('identifyUser', { body: { authenticationToken } });
    expect(await identify(bearer)).toMatchObject({ username: person.username });
    for (const forged of [`${bearer.slice(0, -4)}AAAA`, await token(person, { key: ecKey('first') })])
      await expect(identify(forged)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('has what user info says, and comes in without it', async () => {
    await save({ userInfoUrl: `${issuer.origin}/me` });
    const person = newPerson();
    expect(await statusOf(await token(person))).toBe(200);
    const informed = newPerson();
    issuer.state.userInfo = { sub: informed.sub, email: 'info@example.org' };
    expect((await profile(await token(informed))).json['email']).toBe('info@example.org');
    const other = newPerson();
    issuer.state.userInfo = { sub: 'somebody else', email: 'info@example.org' };
    expect((await profile(await token(other))).json['email']).toBeUndefined();
  });
});

describe('roles by claim', () => {
  const bearerWith = async (person: object, ...roles: readonly string[]) => token({ ...person, roles });

  const uuidsOf = async (...names: readonly string[]) =>
    (await call<RoleDto[]>('listRoles')).filter(({ name }) => names.includes(name)).map(({ uuid }) => uuid);
  const created = async (name: string) => (await call<RoleDetailDto>('createRole', { body: { name } })).uuid;

  it('that the settings list are assigned at the first sign-in, and others are created where the settings say so', async () => {
    const grantedRoleUuids = [await created('operators')];
    await created('unlisted');
    await provision({ createUnknownUsers: true, grantedRoleUuids });
    const first = newPerson();
    await statusOf(await bearerWith(first, 'operators', 'unlisted', 'unheard of'));
    expect(await roleNames(first.username)).toEqual(['operators']);
    await provision({ createUnknownUsers: true, createUnknownRoles: true, grantedRoleUuids });
    const second = newPerson();
    await statusOf(await bearerWith(second, 'operators', 'unlisted', 'unheard of'));
    expect(await roleNames(second.username)).toEqual(['operators', 'unheard of']);
    const listed = await call<ProviderProvisioning>('getProviderProvisioning', { params });
    expect(listed.grantedRoleUuids).toHaveLength(2);
  });

  it('are left alone afterwards, unless they are to follow the claims', async () => {
    await provision({ createUnknownUsers: true, createUnknownRoles: true });
    const person = newPerson();
    await statusOf(await bearerWith(person, 'one'));
    await statusOf(await bearerWith(person, 'two'));
    expect(await roleNames(person.username)).toEqual(['one']);
    await provision({ createUnknownRoles: true, syncPolicy: 'sync-data', grantedRoleUuids: await uuidsOf('one') });
    await statusOf(await token({ ...person, roles: ['two'], family_name: 'Moved' }));
    expect(await roleNames(person.username)).toEqual(['two']);
    expect(await userNamed(person.username)).toMatchObject({ lastName: 'Moved' });
    await statusOf(await token(person));
    expect(await roleNames(person.username)).toEqual([]);
  });

  it('that the settings do not list are neither assigned nor removed, least of all those of an administrator', async () => {
    const unlimited = await direct.roleWith([{ resource: null, action: null }]);
    const names = ['superadmin', 'admin', `role ${unlimited}`];
    await provision({ createUnknownUsers: true, createUnknownRoles: true, syncPolicy: 'sync-data' });
    const person = newPerson();
    await statusOf(await bearerWith(person, ...names));
    expect(await roleNames(person.username)).toEqual([]);
    await provision({ syncPolicy: 'sync-data', grantedRoleUuids: await uuidsOf(...names) });
    await statusOf(await bearerWith(person, ...names));
    expect((await roleNames(person.username)).toSorted()).toEqual(names.toSorted());
    await provision({ syncPolicy: 'sync-data' });
    await statusOf(await token(person));
    expect((await roleNames(person.username)).toSorted()).toEqual(names.toSorted());
  });

  it('do not take the rights of the last administrator', async () => {
    const grantedRoleUuids = await uuidsOf('superadmin');
    await provision({ createUnknownUsers: true, syncPolicy: 'sync-data', grantedRoleUuids });
    const person = newPerson();
    await statusOf(await bearerWith(person, 'superadmin'));
    const others = (await users()).filter((user) => user.username !== person.username && !user.systemUser);
    for (const { uuid } of others)
      await database.query('UPDATE platform_user SET enabled = false WHERE uuid = $1', [uuid]);
    expect(await statusOf(await bearerWith(person))).toBe(200);
    expect(await roleNames(person.username)).toEqual(['superadmin']);
    for (const { uuid } of others)
      await database.query('UPDATE platform_user SET enabled = true WHERE uuid = $1', [uuid]);
  });
});
