import { testDatabase } from '@signetry/testkit/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { serve, type HttpFixture } from '../testing/http-fixture.ts';
import { identityFixture, type IdentityFixture } from '../testing/identity-fixture.ts';

let database: Database;
let fixture: IdentityFixture;
let http: HttpFixture;

beforeAll(async () => {
  database = await testDatabase();
  fixture = await identityFixture(database);
  http = await serve(fixture, { trustedProxies: ['127.0.0.1'] });
});
afterAll(() => http.close());

const addAdmin = (body: object, headers: Record<string, string> = {}) =>
  http.send('/api/v1/local/admins', { method: 'POST', body, headers });
const users = async () =>
  (
    await database.query<{ username: string }>(
      'SELECT username FROM platform_user WHERE NOT is_system ORDER BY username',
    )
  ).map(({ username }) => username);

describe('creating the first administrator', () => {
  it.each([
    [{ 'x-forwarded-for': '127.0.0.1' }],
    [{ 'x-forwarded-host': 'localhost' }],
    [{ 'x-forwarded-proto': 'http' }],
    [{ forwarded: 'for=127.0.0.1' }],
    [{ 'x-real-ip': '127.0.0.1' }],
    [{ via: '1.1 proxy' }],
    [{ host: 'ca.example' }],
    [{ host: 'localhost.evil.example' }],
    [{ host: '127.0.0.1.nip.io' }],
    [{ origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'cross-site' }],
  ])('is rejected for a request with %j', async (headers) => {
    const { status } = await addAdmin({ username: 'intruder' }, headers);
    // A foreign Host header is rejected by the server or by the gatekeeper.
    expect([401, 421]).toContain(status);
    expect(await users()).toEqual([]);
  });

  it('grants no other access to local callers', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/users'],
      ['POST', '/api/v1/users'],
      ['POST', '/api/x/v1/signInLinks'],
      ['GET', '/api/v1/auth/profile'],
    ] as const) {
      expect(
        (await http.send(path, { method, ...(method === 'POST' ? { body: { username: 'x' } } : {}) })).status,
      ).toBe(401);
    }
  });

  it('requires a valid user', async () => {
    expect((await addAdmin({})).status).toBe(400);
    expect((await addAdmin({ username: 'acme' })).status).toBe(400);
    expect(await users()).toEqual([]);
  });

  it('succeeds for only one of multiple concurrent local callers, with exactly the requested data', async () => {
    const forged = { systemUser: true, roles: [], uuid: '00000000-0000-0000-0000-000000000000' };
    const body = (username: string) =>
      JSON.parse(
        `{"username":"${username}","__proto__":{"is_system":true},"constructor":{"prototype":{"is_system":true}}}`,
      ) as object;
    const replies = await Promise.all(
      ['one', 'two', 'three'].map((name) => addAdmin({ ...body(name), ...forged }, { host: 'localhost:8080' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const added = replies.find(({ status }) => status === 200)?.json;
    expect(added).toMatchObject({
      enabled: true,
      systemUser: false,
      roles: [{ name: 'superadmin', systemRole: true }],
    });
    expect(added?.['uuid']).not.toBe(forged.uuid);
    expect(await users()).toEqual([added?.['username']]);
    const [record] = await database.query(
      `SELECT actor_type, actor_name, operation FROM audit_record ORDER BY timestamp DESC LIMIT 1`,
    );
    expect(record).toEqual({ actor_type: 'core', actor_name: 'localhost', operation: 'create' });
  });

  it('is not possible again, even for administrators', async () => {
    expect((await addAdmin({ username: 'late' })).status).toBe(401);
    const [username = ''] = await users();
    const { token } = await fixture.area.createAccessToken({ username, name: 'test' });
    expect((await addAdmin({ username: 'late' }, { authorization: `Bearer ${token.reveal()}` })).status).toBe(401);
    expect(await users()).toEqual([username]);
  });
});
