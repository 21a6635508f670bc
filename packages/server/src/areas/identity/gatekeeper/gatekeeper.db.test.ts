import { afterAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { Call } from '../testing/http-fixture.ts';
import { gatekeeperFixture, listGroups, withToken } from '../testing/gatekeeper-fixture.ts';

const { database, direct, proxied, http, behindProxy, userWith, tokenOf, signIn, close } = await gatekeeperFixture();
afterAll(close);

describe('a request without credentials', () => {
  it('returns 401 with a code, a message and the authentication scheme', async () => {
    const { status, headers, json } = await http.send('/api/v1/users');
    expect([status, json['code'], headers['www-authenticate']]).toEqual([
      401,
      'UNAUTHORIZED',
      'Bearer realm="signetry"',
    ]);
    expect(json['message']).toMatch(/no credential/);
  });

  it('is rejected even if it is local', async () => {
    for (const path of ['/api/v1/users', '/api/v1/roles', '/api/v1/auth/profile', '/api/x/v1/accessTokens']) {
      expect((await http.send(path, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(401);
    }
  });
});

describe('an access token', () => {
  it("grants exactly its user's permissions", async () => {
    const user = await userWith([listGroups]);
    const token = await tokenOf(user.username);
    expect((await http.send('/api/v1/users', withToken(token))).status).toBe(200);
    const refused = await http.send('/api/v1/roles', withToken(token));
    expect([refused.status, refused.headers['content-type'], refused.json['code']]).toEqual([
      403,
      expect.stringContaining('application/problem+json'),
      'ACCESS_DENIED',
    ]);
    const profile = await http.send('/api/v1/auth/profile', withToken(token));
    expect(profile.json).toMatchObject({
      username: user.username,
      permissions: { allowedListings: ['users', 'certificates', 'keys'] },
    });
  });

  it('is rejected if it is altered, unknown, sent with a different scheme, or signed by a different platform', async () => {
    const { token } = await tokenOf('admin');
    const foreign = (await proxied.area.createAccessToken({ username: 'admin', name: 'foreign' })).token.reveal();
    for (const authorization of [
      `Bearer ${token}x`,
      `Bearer ${foreign}`,
      'Bearer',
      'Bearer x',
      `Basic ${token}`,
      token,
    ]) {
      expect(
        (await http.send('/api/v1/users', { headers: { authorization } })).status,
        authorization.slice(0, 10),
      ).toBe(401);
    }
  });

  it('is rejected immediately if revoked on this node, and within 5 s if revoked on another', async () => {
    const [here, elsewhere] = [await tokenOf('admin'), await tokenOf('admin')];
    for (const token of [here, elsewhere])
      expect((await http.send('/api/v1/users', withToken(token))).status).toBe(200);
    const revoke = await http.send(`/api/x/v1/accessTokens/${here.uuid}`, { method: 'DELETE', ...withToken(here) });
    expect(revoke.status).toBe(204);
    expect((await http.send('/api/v1/users', withToken(here))).status).toBe(401);
    await database.query('DELETE FROM access_token WHERE uuid = $1', [elsewhere.uuid]);
    direct.clock.advance(4_500);
    expect((await http.send('/api/v1/users', withToken(elsewhere))).status).toBe(401);
  });

  it('is rejected from the moment it expires', async () => {
    const token = await tokenOf('admin', new Date(direct.clock.now().getTime() + 2_000));
    expect((await http.send('/api/v1/users', withToken(token))).status).toBe(200);
    direct.clock.advance(2_000);
    expect((await http.send('/api/v1/users', withToken(token))).status).toBe(401);
  });

  it('can be created, listed and revoked only by its user, and is shown only once', async () => {
    const [alice, bob] = [await userWith([]), await userWith([])];
    const [asAlice, asBob] = [await tokenOf(alice.username), await tokenOf(bob.username)];
    const created = await http.send('/api/x/v1/accessTokens', {
      method: 'POST',
      body: { name: 'ci' },
      ...withToken(asAlice),
    });
    expect([created.status, created.headers['cache-control']]).toEqual([201, 'no-store']);
    const listed = await http.send('/api/x/v1/accessTokens', withToken(asAlice));
    expect(JSON.parse(listed.text)).toMatchObject([{ name: 'ci' }, { name: 'test' }]);
    expect(listed.text).not.toContain(String(created.json['token']));
    const path = `/api/x/v1/accessTokens/${created.json['uuid']}`;
    expect((await http.send(path, { method: 'DELETE', ...withToken(asBob) })).status).toBe(404);
    const own = { authorization: `Bearer ${created.json['token']}` };
    expect((await http.send('/api/v1/auth/profile', { headers: own })).json['username']).toBe(alice.username);
  });

  it('shows when it was last used, to the hour', async () => {
    const user = await userWith([]);
    const token = await tokenOf(user.username);
    const lastUsed = async () => {
      const [row] = await database.query<{ last_used_at: Date | null }>(
        'SELECT last_used_at FROM access_token WHERE uuid = $1',
        [token.uuid],
      );
      return row?.last_used_at?.getTime() ?? null;
    };
    expect(await lastUsed()).toBeNull();
    await http.send('/api/v1/auth/profile', withToken(token));
    const first = await lastUsed();
    expect(first).not.toBeNull();
    direct.clock.advance(30 * 60_000);
    await http.send('/api/v1/auth/profile', withToken(token));
    expect(await lastUsed()).toBe(first);
    direct.clock.advance(31 * 60_000);
    await http.send('/api/v1/auth/profile', withToken(token));
    expect(await lastUsed()).toBeGreaterThan(first ?? 0);
  });

  it('cannot be created with a past expiry, without a name, or for a system user', async () => {
    const admin = await tokenOf('admin');
    const create = (body: object) => http.send('/api/x/v1/accessTokens', { method: 'POST', body, ...withToken(admin) });
    expect((await create({ name: 'old', expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(422);
    expect((await create({ name: '  ' })).status).toBe(422);
    expect((await create({ name: 'a\0b' })).status).toBe(400);
    await expect(direct.area.createAccessToken({ username: 'acme', name: 'x' })).rejects.toThrow(/acme/);
  });

  it('is stored only as a hash, both in the database and in the audit log', async () => {
    const { token } = await tokenOf('admin');
    const link = (await direct.area.issueSignInLink('admin')).path.reveal().split('/').at(-1) ?? '';
    const session = await signIn();
    const secrets = [token, token.split('.')[2] ?? '', link, session.split('=')[1] ?? ''];
    for (const table of ['access_token', 'sign_in_link', 'session', 'audit_record', 'event_outbox']) {
      const rows = JSON.stringify(await database.query(`SELECT t.*::text AS row FROM ${table} t`));
      for (const secret of secrets) expect(rows.includes(secret), table).toBe(false);
    }
  });
});

describe('a disabled user', () => {
  it('is immediately locked out on this node with tokens, sessions and certificates', async () => {
    const certificate = proxied.certificates.add();
    const user = await userWith([listGroups], proxied, certificate.uuid);
    const { token } = await proxied.area.createAccessToken({ username: user.username, name: 'test' });
    const cookie = await signIn(user.username, proxied, behindProxy);
    const calls: readonly Call[] = [
      { headers: { authorization: `Bearer ${token.reveal()}` } },
      { headers: { cookie } },
      { headers: { 'ssl-client-cert': Buffer.from(certificate.der).toString('base64') } },
    ];
    for (const call of calls) expect((await behindProxy.send('/api/v1/users', call)).status).toBe(200);
    await proxied.call('disableUser', { params: { userUuid: user.uuid } });
    for (const call of calls) expect((await behindProxy.send('/api/v1/users', call)).status).toBe(401);
    await expect(proxied.area.issueSignInLink(user.username)).rejects.toThrow(/cannot sign in/);
    await proxied.call('enableUser', { params: { userUuid: user.uuid } });
    const statuses = await Promise.all(
      calls.map(async (call) => (await behindProxy.send('/api/v1/users', call)).status),
    );
    expect(statuses).toEqual([200, 401, 200]);
  });

  it('is locked out within 5 s if disabled on a different node, and loses revoked permissions equally fast', async () => {
    const user = await userWith([listGroups]);
    const token = await tokenOf(user.username);
    const status = async () => (await http.send('/api/v1/users', withToken(token))).status;
    expect(await status()).toBe(200);
    await database.query('DELETE FROM user_role WHERE user_uuid = $1', [user.uuid]);
    direct.clock.advance(4_500);
    expect(await status()).toBe(403);
    await database.query('UPDATE platform_user SET enabled = false WHERE uuid = $1', [user.uuid]);
    direct.clock.advance(4_500);
    expect(await status()).toBe(401);
  });
});

describe('granted and revoked permissions', () => {
  it('take effect immediately on this node and within 5 s on all others, for operations, lists and individual objects', async () => {
    const user = await userWith([listGroups]);
    const token = await tokenOf(user.username);
    const elsewhere = {
      headers: {
        authorization: `Bearer ${(await proxied.area.createAccessToken({ username: user.username, name: 'test' })).token.reveal()}`,
      },
    };
    const [role] = (await direct.call<{ roles: { uuid: string }[] }>('getUser', { params: { userUuid: user.uuid } }))
      .roles;
    const save = (resources: object[]) =>
      direct.call('savePermissions', {
        params: { roleUuid: role?.uuid ?? '' },
        body: { allowAllResources: false, resources },
      });
    const here = async (path: string) => (await http.send(path, withToken(token))).status;
    const there = async (path: string) => (await behindProxy.send(path, elsewhere)).status;
    const listings = async () => (await http.send('/api/v1/auth/profile', withToken(token))).json['permissions'];

    expect([await here('/api/v1/users'), await there('/api/v1/users'), await here('/api/v1/roles')]).toEqual([
      200, 200, 403,
    ]);
    await save([{ name: 'roles', allowAllActions: false, actions: ['list'] }]);
    expect([await here('/api/v1/users'), await here('/api/v1/roles')]).toEqual([403, 200]);
    expect(await listings()).toEqual({ allowedListings: ['roles', 'certificates', 'keys'] });
    proxied.clock.advance(4_500);
    expect([await there('/api/v1/users'), await there('/api/v1/roles')]).toEqual([403, 200]);

    const group = newUuid();
    await database.query(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'one', now(), now())`,
      [group],
    );
    const objects = '/api/v1/auth/resources/groups/objects';
    expect([await here(objects), await there(objects)]).toEqual([403, 403]);
    await save([
      { name: 'groups', allowAllActions: false, actions: [], objects: [{ uuid: group, name: 'one', allow: ['list'] }] },
    ]);
    expect(await listings()).toEqual({ allowedListings: ['certificates', 'groups', 'keys'] });
    proxied.clock.advance(4_500);
    expect([await here(objects), await there(objects), await there('/api/v1/roles')]).toEqual([200, 200, 403]);
  });
});

describe('a rejected credential', () => {
  const records = async () =>
    database.query<{ operation_result: string; message: string; source_path: string }>(
      `SELECT operation_result, message, source_path FROM audit_record WHERE operation = 'authentication' ORDER BY timestamp`,
    );

  it('creates one audit record per minute, caller and reason, without the credential', async () => {
    direct.clock.advance(60_000);
    const before = (await records()).length;
    const send = () => http.send('/api/v1/users', { headers: { authorization: 'Bearer guess' } });
    for (let guess = 0; guess < 3; guess += 1) await send();
    const [record, ...more] = (await records()).slice(before);
    expect(record).toMatchObject({ operation_result: 'failure', source_path: '/api/v1/users' });
    expect([more, JSON.stringify(record).includes('guess')]).toEqual([[], false]);
    direct.clock.advance(60_000);
    await send();
    expect((await records()).length).toBe(before + 2);
  });

  it('creates no audit record if the request contained no credential', async () => {
    const before = (await records()).length;
    await http.send('/api/v1/users');
    expect((await records()).length).toBe(before);
  });
});

describe('the Host header', () => {
  it('must specify a host that this server serves', async () => {
    const { status } = await http.send('/api/v1/users', {
      headers: { host: 'evil.example', ...withToken(await tokenOf('admin')).headers },
    });
    expect(status).toBe(421);
  });
});
