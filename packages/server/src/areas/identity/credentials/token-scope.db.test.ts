// Scoped access tokens over HTTP: the access that they grant, and the limits that they cannot exceed.
import type { AccessToken } from '@signetry/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { gatekeeperFixture } from '../testing/gatekeeper-fixture.ts';

const { database, direct, http, userWith, signIn, close } = await gatekeeperFixture();
afterAll(close);

interface Scope {
  readonly roleUuid?: string;
  readonly permissions?: object;
}

const listsUsers = {
  allowAllResources: false,
  resources: [{ name: 'users', allowAllActions: false, actions: ['list'] }],
};

const create = (cookie: string, scope: unknown) =>
  http.send('/api/x/v1/accessTokens', { method: 'POST', headers: { cookie }, body: { name: 'ci', scope } });

/** Returns a client with an access token of this user and scope. */
async function clientWith(username: string, scope: Scope) {
  const { status, json } = await create(await signIn(username), scope);
  expect(status).toBe(201);
  const headers = { authorization: `Bearer ${String(json['token'])}` };
  return {
    uuid: String(json['uuid']),
    json,
    call: async (path: string, method = 'GET', body?: unknown) =>
      (await http.send(`/api${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).status,
  };
}

describe('a scoped access token', () => {
  it('with permissions grants only permissions that both its scope and its user have', async () => {
    const { call, json } = await clientWith('admin', { permissions: listsUsers });
    expect(json['scope']).toMatchObject({ permissions: { resources: [{ name: 'users', actions: ['list'] }] } });
    expect(await call('/v1/users')).toBe(200);
    expect(await call('/v1/roles')).toBe(403);
    expect(await call('/v1/users', 'POST', { username: 'made' })).toBe(403);
  });

  it("never grants more than its user's current permissions", async () => {
    const user = await userWith([{ resource: 'users', action: 'list' }]);
    const { call } = await clientWith(user.username, {
      permissions: { allowAllResources: true, resources: [] },
    });
    expect([await call('/v1/users'), await call('/v1/roles')]).toEqual([200, 403]);
    await direct.call('removeRole', { params: { userUuid: user.uuid, roleUuid: user.roles[0]?.uuid ?? '' } });
    expect(await call('/v1/users')).toBe(403);
    await direct.call('disableUser', { params: { userUuid: user.uuid } });
    expect(await call('/v1/auth/profile')).toBe(401);
  });

  it('with a role follows changes to the role, and grants nothing after the role is deleted', async () => {
    const roleUuid = await direct.roleWith([{ resource: 'roles', action: 'list' }]);
    const { call, json } = await clientWith('admin', { roleUuid });
    expect(json['scope']).toMatchObject({ role: { uuid: roleUuid } });
    expect([await call('/v1/roles'), await call('/v1/users')]).toEqual([200, 403]);
    const body = listsUsers;
    await direct.call('savePermissions', { params: { roleUuid }, body });
    expect([await call('/v1/roles'), await call('/v1/users')]).toEqual([403, 200]);
    await direct.call('deleteRole', { params: { roleUuid } });
    expect(await call('/v1/users')).toBe(403);
  });

  it("with a role can be created for one of the caller's own roles, or for any role that the caller can see", async () => {
    const user = await userWith([]);
    const cookie = await signIn(user.username);
    expect((await create(cookie, { roleUuid: user.roles[0]?.uuid })).status).toBe(201);
    expect((await create(cookie, { roleUuid: await direct.roleWith([]) })).status).toBe(403);
    const admin = await signIn();
    expect((await create(admin, { roleUuid: crypto.randomUUID() })).status).toBe(404);
    for (const scope of [{}, { roleUuid: user.roles[0]?.uuid, permissions: listsUsers }, { roleUuid: 'x' }])
      expect((await create(admin, scope)).status, JSON.stringify(scope)).toBe(422);
    const unknown = { allowAllResources: false, resources: [{ name: 'nonsense', allowAllActions: true }] };
    expect((await create(admin, { permissions: unknown })).status).toBe(404);
  });

  it('cannot create or change credentials, even with an unlimited scope', async () => {
    const { call, uuid } = await clientWith('admin', { permissions: { allowAllResources: true } });
    const [admin] = await database.query<{ uuid: string }>("SELECT uuid FROM platform_user WHERE username = 'admin'");
    const own = `/v1/users/${admin?.uuid ?? ''}`;
    const email = 'a@example.org';
    const calls: readonly Parameters<typeof call>[] = [
      ['/x/v1/accessTokens', 'POST', { name: 'child' }],
      [`/x/v1/accessTokens/${uuid}`, 'DELETE'],
      ['/x/v1/signInLinks', 'POST'],
      ['/x/v1/passkeys/registration', 'POST'],
      ['/x/v1/sessions', 'DELETE'],
      ['/v1/auth/profile', 'PUT', { email }],
      [own, 'PUT', { email }],
      [`/x${own}/invitations`, 'POST'],
      [`/x${own}/accessTokens/${uuid}`, 'DELETE'],
    ];
    for (const each of calls) expect(await call(...each), each.join(' ')).toBe(403);
    expect(await call('/v1/users')).toBe(200);
  });

  it('is rejected if its database row has lost the scope, instead of becoming unlimited', async () => {
    const { call, uuid } = await clientWith('admin', { permissions: listsUsers });
    await database.query('UPDATE access_token SET scope = NULL WHERE uuid = $1', [uuid]);
    expect(await call('/v1/users')).toBe(401);
  });
});

describe('access tokens of other users', () => {
  it('can be listed and revoked only by administrators', async () => {
    const user = await userWith([]);
    const { call, uuid } = await clientWith(user.username, { roleUuid: user.roles[0]?.uuid ?? '' });
    const path = `/api/x/v1/users/${user.uuid}/accessTokens`;
    const cookies = { user: await signIn(user.username), admin: await signIn() };
    expect((await http.send(path, { headers: { cookie: cookies.user } })).status).toBe(403);
    const { json } = await http.send(path, { headers: { cookie: cookies.admin } });
    expect((json as unknown as AccessToken[]).map(({ name, scope }) => [name, scope?.role?.uuid])).toEqual([
      ['ci', user.roles[0]?.uuid],
    ]);
    expect(await call('/v1/auth/profile')).toBe(200);
    const revoke = (cookie: string) => http.send(`${path}/${uuid}`, { method: 'DELETE', headers: { cookie } });
    expect((await revoke(cookies.user)).status).toBe(403);
    expect((await revoke(cookies.admin)).status).toBe(204);
    expect(await call('/v1/auth/profile')).toBe(401);
    expect((await revoke(cookies.admin)).status).toBe(404);
  });

  it('of an administrator cannot be revoked by callers who can only update users', async () => {
    const helper = await userWith([{ resource: 'users', action: 'update' }]);
    const { uuid } = await clientWith('admin', { permissions: listsUsers });
    const [admin] = await database.query<{ uuid: string }>("SELECT uuid FROM platform_user WHERE username = 'admin'");
    const headers = { cookie: await signIn(helper.username) };
    const base = `/api/x/v1/users/${admin?.uuid ?? ''}`;
    expect((await http.send(`${base}/accessTokens/${uuid}`, { method: 'DELETE', headers })).status).toBe(403);
    expect((await http.send(`${base}/invitations`, { method: 'POST', headers })).status).toBe(403);
  });
});
