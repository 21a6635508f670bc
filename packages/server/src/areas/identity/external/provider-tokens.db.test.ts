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

describe('a provider token', () => {
  it('signs in its user, who is created only once and has no permissions', async () => {
    const person = newPerson();
    const answer = await profile(await token({ ...person, given_name: 'Erin', email: 'erin@example.org' }));
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { username: person.username, firstName: 'Erin', email: 'erin@example.org', roles: [] },
    ]);
    expect(await statusOf(await token(person))).toBe(200);
    expect((await users()).filter(({ username }) => username === person.username)).toHaveLength(1);
  });

  it('does not trigger a second key fetch when it is used again', async () => {
    const person = await token(newPerson());
    await statusOf(person);
    const { asked } = issuer.state;
    for (let time = 0; time < 5; time += 1) expect(await statusOf(person)).toBe(200);
    expect(issuer.state.asked).toBe(asked);
  });

  it.each([
    ['for a different audience', () => token({ aud: 'elsewhere' })],
    ['without an audience', () => token({ aud: undefined })],
    ['from a different issuer', () => token({ iss: 'https://evil.example' })],
    ['that has expired', () => token({ exp: seconds(-31) })],
    ['without an expiry', () => token({ exp: undefined })],
    ['issued in the future', () => token({ iat: seconds(60) })],
    ['that is not yet valid', () => token({ nbf: seconds(60) })],
    ['without a subject', () => token({ sub: undefined })],
    ['of a different type', () => token({}, { header: { typ: 'logout+jwt' } })],
    ['bound to a client key', () => token({ cnf: { jkt: 'x' } })],
    ['with an unknown critical header', () => token({}, { header: { crit: ['x'], x: 1 } })],
    ['signed by a different key with the same ID', () => token({}, { key: ecKey('first') })],
    ['whose roles claim is neither a name nor a list', () => token({ roles: { admin: true } })],
  ])('%s is rejected without revealing the reason', async (_what, make) => {
    const answer = await profile(await make());
    expect(answer.status).toBe(401);
    expect(answer.json['message']).toContain('the bearer token is unknown, expired or revoked');
    expect(answer.text).not.toMatch(/audience|issuer|"exp"|claim|erin/);
  });

  it('is rejected if it is an ID token, but not if it merely resembles one', async () => {
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

  it('must have the type at+jwt if the provider settings require it', async () => {
    await provision({ createUnknownUsers: true, requireAccessTokenType: true });
    expect(await statusOf(await token(newPerson()))).toBe(401);
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt'])
      expect(await statusOf(await token(newPerson(), { header: { typ } }))).toBe(200);
    await provision({ createUnknownUsers: true });
    expect(await call('getProviderProvisioning', { params })).toMatchObject({ requireAccessTokenType: true });
    await provision({ createUnknownUsers: true, requireAccessTokenType: false });
    expect(await statusOf(await token(newPerson()))).toBe(200);
  });

  it('signs in its user despite a malformed email address, which is not stored', async () => {
    const person = newPerson();
    const answer = await profile(await token({ ...person, email: 'erin@example.org\r\nBcc: eve@example.org' }));
    expect(answer.status).toBe(200);
    expect((await userNamed(person.username))?.email).toBeUndefined();
  });

  it("is accepted if its times are off by at most the provider's allowed clock skew", async () => {
    expect(await statusOf(await token({ ...newPerson(), exp: seconds(-28), iat: seconds(-300) }))).toBe(200);
    expect(await statusOf(await token({ ...newPerson(), nbf: seconds(28) }))).toBe(200);
    await save({ skew: 0 });
    expect(await statusOf(await token({ ...newPerson(), exp: seconds(-2) }))).toBe(401);
  });

  it('is rejected after its expiry, even if it was accepted before', async () => {
    const short = await token({ ...newPerson(), exp: seconds(60) });
    expect(await statusOf(short)).toBe(200);
    clock.advance(60_000 + 31_000);
    expect(await statusOf(short)).toBe(401);
  });

  it('is never accepted with the algorithm "none"', async () => {
    const [, claims] = (await token()).split('.');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'first', typ: 'JWT' })).toString('base64url');
      expect(await statusOf(`${header}.${claims}.`)).toBe(401);
    }
  });

  it('cannot be forged by using a public key as the HMAC secret', async () => {
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

  it('must use the algorithm of its key', async () => {
    const rsa = rsaKey('rsa');
    issuer.state.keys = [rsa];
    await save();
    expect(await statusOf(await token(newPerson(), { key: { ...rsa, alg: 'PS256' } }))).toBe(401);
  });

  it("does not affect the platform's own tokens", async () => {
    const { token: own } = await direct.area.createAccessToken({ username: 'admin', name: 'own' });
    expect(await statusOf(own.reveal())).toBe(200);
  });

  it('is no longer accepted after the provider is removed or its settings change', async () => {
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

describe('provider keys', () => {
  it('that are new are fetched when a token references one, at a limited rate', async () => {
    const second = ecKey('second');
    issuer.state.keys = [key, second];
    expect(await statusOf(await token(newPerson(), { key: second }))).toBe(200);
    const { asked } = issuer.state;
    for (let time = 0; time < 5; time += 1)
      expect(await statusOf(await token(newPerson(), { key: ecKey(randomUUID()) }))).toBe(401);
    expect(issuer.state.asked).toBe(asked);
  });

  it('that were withdrawn invalidate the tokens signed with them', async () => {
    const person = await token({ ...newPerson(), exp: seconds(3_600) });
    expect(await statusOf(person)).toBe(200);
    issuer.state.keys = [ecKey('second')];
    clock.advance(REFRESH_MS + 1_000);
    await expect.poll(() => statusOf(person)).toBe(401);
  });

  it('remain usable for an hour while the provider is down; after that, the response is 503', async () => {
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

  it('are shown with the settings, and must be available when the settings are saved', async () => {
    expect(await call('getOAuth2ProviderSettings', { params })).toMatchObject({ jwkSetKeys: [{ kid: 'first' }] });
    issuer.state.isDown = true;
    await expect(save()).rejects.toThrow(/JWK set URL .* of the provider corporate cannot be reached/);
    issuer.state.isDown = false;
    issuer.state.keys = [];
    await expect(save()).rejects.toThrow('contains no key for verifying signatures');
  });
});

describe('the user of a provider token', () => {
  it('is rejected if the provider does not create users, unless an administrator has linked an account', async () => {
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

  it.each(['admin', 'acme', 'localhost', 'superadmin'])('is not matched to the user %s by name', async (username) => {
    const before = await users();
    const status = await statusOf(await token({ sub: `thief of ${username}`, username }));
    // There is a role named superadmin, but no user of that name.
    expect(status).toBe(username === 'superadmin' ? 200 : 401);
    expect(await users()).toHaveLength(before.length + (username === 'superadmin' ? 1 : 0));
    expect(username === 'superadmin' ? await roleNames(username) : []).toEqual([]);
  });

  it('cannot be a system user, even through a link', async () => {
    const { uuid: userUuid = '' } = (await userNamed('acme')) ?? {};
    const body = { providerName: 'corporate', subject: 'machine' };
    await expect(call('linkExternalIdentity', { params: { userUuid }, body })).rejects.toThrow(
      'belongs to the platform',
    );
  });

  it('cannot be linked by callers with fewer permissions than the user', async () => {
    const { uuid: userUuid = '' } = (await userNamed('admin')) ?? {};
    const context = contextOf({ uuid: randomUUID(), username: 'clerk' }, [{ resource: 'users', action: 'update' }]);
    const body = { providerName: 'corporate', subject: 'clerk' };
    await expect(call('linkExternalIdentity', { params: { userUuid }, body, context })).rejects.toMatchObject({
      code: 'access_denied',
    });
  });

  it('remains the same when the name at the provider changes', async () => {
    const person = newPerson();
    await statusOf(await token(person));
    const answer = await profile(await token({ ...person, username: 'renamed' }));
    expect([answer.status, answer.json['username']]).toEqual([200, person.username]);
  });

  it('is locked out immediately when disabled, and can sign in again when enabled', async () => {
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

  it('is created only from supported claims', async () => {
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

  it('is identified only by a token with a valid signature', async () => {
    const person = newPerson();
    const bearer = await token(person);
    await statusOf(bearer);
    const identify = (authenticationToken: string) => call('identifyUser', { body: { authenticationToken } });
    expect(await identify(bearer)).toMatchObject({ username: person.username });
    for (const forged of [`${bearer.slice(0, -4)}AAAA`, await token(person, { key: ecKey('first') })])
      await expect(identify(forged)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('gets the email address from the UserInfo endpoint, and can also sign in without it', async () => {
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

describe('claims named in the settings', () => {
  it('determine the username, names and roles, and are kept if a request omits them', async () => {
    const { uuid: roleUuid } = await call<RoleDetailDto>('createRole', { body: { name: 'nested' } });
    const claims = { username: ['login'], roles: ['realm_access.roles'], firstName: ['name.first'] };
    await provision({ createUnknownUsers: true, grantedRoleUuids: [roleUuid], claims });
    const { sub, username } = newPerson();
    const claimed = { sub, username: 'ignored', login: username, name: { first: 'Ann' }, roles: ['superadmin'] };
    const answer = await profile(await token({ ...claimed, realm_access: { roles: ['nested', 'superadmin'] } }));
    expect(answer.json).toMatchObject({ username, firstName: 'Ann' });
    expect(await roleNames(username)).toEqual(['nested']);
    expect(await statusOf(await token({ ...newPerson(), login: undefined }))).toBe(401);
    await provision({ createUnknownUsers: true });
    expect(await call<ProviderProvisioning>('getProviderProvisioning', { params })).toMatchObject({
      claims: { ...claims, email: ['email'] },
    });
    await provision({ createUnknownUsers: true, claims: {} });
    expect(await statusOf(await token(newPerson()))).toBe(200);
  });

  it('are tried in order for the username by default', async () => {
    const { sub, username } = newPerson();
    const bearer = await token({ sub, username: undefined, preferred_username: username, upn: 'other' });
    expect((await profile(bearer)).json['username']).toBe(username);
  });
});

describe('groups from claims', () => {
  const groupsOf = async (username: string) =>
    (await detailOf((await userNamed(username))?.uuid)).groups?.map(({ name }) => name).toSorted();
  async function group(name: string): Promise<string> {
    const uuid = randomUUID();
    const values = [uuid, name];
    await database.query(
      'INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())',
      values,
    );
    return uuid;
  }

  it('are assigned and removed only if the settings list them', async () => {
    const [ops, web, own] = [await group('ops'), await group('web'), await group('own')];
    await provision({ createUnknownUsers: true, syncPolicy: 'sync-data', grantedGroupUuids: [ops, web] });
    const person = newPerson();
    await statusOf(await token({ ...person, groups: ['/ops', 'own', 'unheard of'] }));
    expect(await groupsOf(person.username)).toEqual(['ops']);
    const { uuid } = (await userNamed(person.username)) ?? {};
    await database.query(
      `INSERT INTO group_membership (object_resource, object_uuid, group_uuid) VALUES ('users', $1, $2)`,
      [uuid, own],
    );
    await statusOf(await token({ ...person, groups: 'web' }));
    expect(await groupsOf(person.username)).toEqual(['own', 'web']);
    await statusOf(await token(person));
    expect(await groupsOf(person.username)).toEqual(['own']);
    await provision({ syncPolicy: 'sync-data', grantedGroupUuids: [] });
    await statusOf(await token({ ...person, groups: ['ops'] }));
    expect(await groupsOf(person.username)).toEqual(['own']);
  });

  it('must exist', async () => {
    await expect(provision({ grantedGroupUuids: [randomUUID()] })).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('roles from claims', () => {
  const bearerWith = async (person: object, ...roles: readonly string[]) => token({ ...person, roles });

  const uuidsOf = async (...names: readonly string[]) =>
    (await call<RoleDto[]>('listRoles')).filter(({ name }) => names.includes(name)).map(({ uuid }) => uuid);
  const created = async (name: string) => (await call<RoleDetailDto>('createRole', { body: { name } })).uuid;

  it('are assigned at the first sign-in if the settings list them, and are created if the settings allow it', async () => {
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

  it('are left unchanged afterwards, unless they are synchronized with the claims', async () => {
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

  it('are neither assigned nor removed if the settings do not list them, which also applies to administrator roles', async () => {
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

  it('are not removed from the last administrator', async () => {
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
