import { createHash } from 'node:crypto';
import type { UserDetailDto } from '@signetry/contract';
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  generateSerialNumber,
  parsePublicKey,
  defaultSignatureAlgorithm,
  writePem,
} from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { testDatabase } from '@signetry/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { serve, type Call, type HttpFixture } from '../testing/http-fixture.ts';
import type { PermissionRow } from '../permissions/domain.ts';
import { identityFixture, type IdentityFixture } from '../testing/identity-fixture.ts';

let database: Database;
let direct: IdentityFixture;
let http: HttpFixture;
let proxied: IdentityFixture;
let behindProxy: HttpFixture;
const PROXIES = ['127.0.0.1'];

beforeAll(async () => {
  database = await testDatabase();
  direct = await identityFixture(database);
  proxied = await identityFixture(database, { trustedProxies: PROXIES });
  await direct.area.ensureFirstAdministrator('admin');
  http = await serve(direct, { tls: await selfSigned('CN=server') });
  behindProxy = await serve(proxied, { trustedProxies: PROXIES });
});
afterAll(async () => {
  await http.close();
  await behindProxy.close();
});

async function selfSigned(subject: string): Promise<{ cert: string; key: string; der: Uint8Array }> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const name = buildName([{ type: 'CN', value: subject }]);
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: Date.now() - 60_000,
    notAfterMs: Date.now() + 3_600_000,
    spki,
    extensions: [],
  });
  const der = assembleCertificate(tbs, {
    algorithm,
    signature: await nodeCrypto.signAsync(privateKey, { algorithm, data: tbs }),
  });
  return { cert: writePem('CERTIFICATE', der), key: await exportPrivateKeyPem(privateKey), der };
}

let made = 0;

type Headers = Readonly<Record<string, string>>;

async function userWith(
  rows: readonly PermissionRow[],
  fixture = direct,
  certificateUuid?: string,
): Promise<UserDetailDto> {
  const body = { username: `person-${++made}`, certificateUuid };
  const user = await fixture.call<UserDetailDto>('createUser', { body });
  const role = await fixture.roleWith(rows);
  return fixture.call('addRole', { params: { userUuid: user.uuid, roleUuid: role } });
}

const listGroups = { resource: 'users', action: 'list' } as const;

async function tokenOf(
  username: string,
  expiresAt?: Date,
): Promise<{ authorization: string; uuid: string; token: string }> {
  const { token, row } = await direct.area.createAccessToken({
    username,
    name: 'test',
    ...(expiresAt ? { expiresAt } : {}),
  });
  return { authorization: `Bearer ${token.reveal()}`, uuid: row.uuid, token: token.reveal() };
}

const withToken = ({ authorization }: { authorization: string }) => ({ headers: { authorization } });

describe('a call without credentials', () => {
  it('is answered 401 with code, message and the way to authenticate', async () => {
    const { status, headers, json } = await http.send('/api/v1/users');
    expect([status, json['code'], headers['www-authenticate']]).toEqual([
      401,
      'UNAUTHORIZED',
      'Bearer realm="signetry"',
    ]);
    expect(json['message']).toMatch(/no credential/);
  });

  it('is not helped by being local', async () => {
    for (const path of ['/api/v1/users', '/api/v1/roles', '/api/v1/auth/profile', '/api/x/v1/accessTokens']) {
      expect((await http.send(path, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(401);
    }
  });
});

describe('an access token', () => {
  it('opens what its user may do and nothing else', async () => {
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
    expect(profile.json).toMatchObject({ username: user.username, permissions: { allowedListings: ['users'] } });
  });

  it('is refused when altered, unknown, of another scheme, or signed by another platform', async () => {
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

  it('is refused at once when it was revoked here, and within five seconds when it was revoked elsewhere', async () => {
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

  it('is refused from the moment it expires', async () => {
    const token = await tokenOf('admin', new Date(direct.clock.now().getTime() + 2_000));
    expect((await http.send('/api/v1/users', withToken(token))).status).toBe(200);
    direct.clock.advance(2_000);
    expect((await http.send('/api/v1/users', withToken(token))).status).toBe(401);
  });

  it('can be made, listed and revoked by its user only, and is shown once', async () => {
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

  it('cannot be made for the past, without a name, or for a user of the platform', async () => {
    const admin = await tokenOf('admin');
    const create = (body: object) => http.send('/api/x/v1/accessTokens', { method: 'POST', body, ...withToken(admin) });
    expect((await create({ name: 'old', expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(422);
    expect((await create({ name: '  ' })).status).toBe(422);
    expect((await create({ name: 'a\0b' })).status).toBe(400);
    await expect(direct.area.createAccessToken({ username: 'acme', name: 'x' })).rejects.toThrow(/acme/);
  });

  it('is kept as a hash only, in the database and in the audit trail', async () => {
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
  it('is out at once on this node, with token, session and certificate', async () => {
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

  it('is out within five seconds when another node did it, and so are rights that were taken away', async () => {
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

async function linkPath(username = 'admin', fixture = direct): Promise<string> {
  return (await fixture.area.issueSignInLink(username)).path.reveal();
}

/** Signs in as a browser does and answers the cookie. */
async function signIn(username = 'admin', fixture = direct, over = http): Promise<string> {
  const { headers } = await over.send(await linkPath(username, fixture), {
    method: 'POST',
    headers: { origin: over.origin },
  });
  const [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
  return cookie;
}

describe('a sign-in link', () => {
  it('survives being looked at, opens a session once, and then says how to get another', async () => {
    const path = await linkPath();
    for (let look = 0; look < 3; look += 1) {
      const page = await http.send(path);
      expect([page.status, page.text.includes('<form method="post">')]).toEqual([200, true]);
    }
    const first = await http.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([first.status, first.headers.location]).toEqual([303, '/']);
    expect(first.headers['set-cookie']?.[0]).toMatch(/^signetry=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    for (const method of ['GET', 'POST']) {
      const again = await http.send(path, { method });
      expect([again.status, again.headers['set-cookie']]).toEqual([410, undefined]);
      expect(again.text).toContain('<code>signetry sign-in</code>');
    }
  });

  it('opens one session when it is used several times at once', async () => {
    const path = await linkPath();
    const replies = await Promise.all(Array.from({ length: 5 }, () => http.send(path, { method: 'POST' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
  });

  it('expires after 15 minutes', async () => {
    const path = await linkPath();
    direct.clock.advance(15 * 60_000 - 1_000);
    expect((await http.send(path)).status).toBe(200);
    direct.clock.advance(1_000);
    expect([(await http.send(path)).status, (await http.send(path, { method: 'POST' })).status]).toEqual([410, 410]);
  });

  it('is not told apart from one that never was', async () => {
    for (const token of ['x', 'A'.repeat(43), '%00', '..%2f'])
      expect((await http.send(`/sign-in/${token}`)).status).toBe(410);
  });

  it('is not used by a page of another site', async () => {
    const path = await linkPath();
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ] as readonly Headers[]) {
      expect((await http.send(path, { method: 'POST', headers })).status).toBe(403);
    }
    expect((await http.send(path, { method: 'POST' })).status).toBe(303);
  });

  it('opens no session where it would travel in clear', async () => {
    const path = await linkPath();
    const reply = await http.send(path, { method: 'POST', headers: { host: 'ca.example:8080' } });
    expect([reply.status, reply.headers['set-cookie']]).toEqual([400, undefined]);
    const cookie = await signIn();
    expect((await http.send('/api/v1/users', { headers: { host: 'ca.example:8080', cookie } })).status).toBe(401);
  });

  it('is made for the caller by the operation, under the address the caller used', async () => {
    const user = await userWith([]);
    const { status, json } = await http.send('/api/x/v1/signInLinks', {
      method: 'POST',
      ...withToken(await tokenOf(user.username)),
    });
    expect(status).toBe(201);
    expect(String(json['url'])).toMatch(new RegExp(`^${http.origin}/sign-in/[\\w-]{43}$`));
    const { headers } = await http.send(new URL(String(json['url'])).pathname, { method: 'POST' });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await http.send('/api/v1/auth/profile', { headers: { cookie } })).json['username']).toBe(user.username);
  });
});

describe('the pages', () => {
  it('load nothing, run nothing, cannot be framed or cached', async () => {
    for (const path of [await linkPath(), '/sign-in/x', '/login']) {
      const { headers, text } = await http.send(path);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
      expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'same-origin']);
      expect(text).not.toMatch(/<script|<link|<img|style=|\son\w+=|https?:/);
    }
  });

  it('lead a signed-in browser to a path of ours only', async () => {
    const cookie = await signIn();
    const goes = async (redirect: string) =>
      (await http.send(`/login?redirect=${encodeURIComponent(redirect)}`, { headers: { cookie } })).headers.location;
    expect(await goes('/administrator/?a=b#c')).toBe('/administrator/?a=b#c');
    for (const elsewhere of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'evil',
      'javascript:alert(1)',
      '/a\r\nset-cookie: x=y',
    ]) {
      expect(await goes(elsewhere), elsewhere).toBe('/');
    }
    expect((await http.send('/login?redirect=/x')).status).toBe(200);
  });
});

describe('a session', () => {
  it('opens the interface by its cookie, for reading and for changes of our own pages', async () => {
    const cookie = await signIn();
    expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(200);
    const create = (headers: Record<string, string>) =>
      http.send('/api/v1/roles', { method: 'POST', body: { name: `role-${++made}` }, headers: { cookie, ...headers } });
    expect((await create({})).status).toBe(201);
    expect((await create({ origin: http.origin })).status).toBe(201);
    expect((await create({ 'sec-fetch-site': 'same-origin', origin: http.origin })).status).toBe(201);
  });

  it('does not carry changes that a page of another site asks for', async () => {
    const cookie = await signIn();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: http.origin },
    ] as readonly Headers[]) {
      const body = { name: `role-${++made}` };
      const reply = await http.send('/api/v1/roles', { method: 'POST', body, headers: { cookie, ...headers } });
      expect(reply.status, JSON.stringify(headers)).toBe(401);
    }
  });

  it('ends after an hour without use and after eight hours in any case', async () => {
    const cookie = await signIn();
    const status = async () => (await http.send('/api/v1/users', { headers: { cookie } })).status;
    for (let hour = 0; hour < 8; hour += 1) {
      direct.clock.advance(59 * 60_000);
      expect(await status()).toBe(200);
    }
    direct.clock.advance(9 * 60_000);
    expect(await status()).toBe(401);
    const idle = await signIn();
    direct.clock.advance(61 * 60_000);
    const reply = await http.send('/api/v1/users', { headers: { cookie: idle } });
    expect([reply.status, reply.json['message']]).toEqual([401, expect.stringContaining('the session has ended')]);
  });

  it('ends at sign-out, on every way out', async () => {
    for (const method of ['GET', 'POST']) {
      const cookie = await signIn();
      const reply = await http.send('/logout', { method, headers: { cookie } });
      expect([reply.status, reply.headers.location]).toEqual([303, '/login']);
      expect(reply.headers['set-cookie']?.[0]).toMatch(/^signetry=; Max-Age=0;/);
      expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(401);
    }
    expect((await http.send('/logout')).status).toBe(303);
  });

  it('gets a new id at sign-in; the one before ends, and one that was planted never counts', async () => {
    const before = await signIn();
    const { headers } = await http.send(await linkPath(), { method: 'POST', headers: { cookie: before } });
    expect(headers['set-cookie']?.[0]).not.toContain(before);
    expect((await http.send('/api/v1/users', { headers: { cookie: before } })).status).toBe(401);
    const planted = `signetry=${'A'.repeat(43)}`;
    await http.send(await linkPath(), { method: 'POST', headers: { cookie: planted } });
    expect((await http.send('/api/v1/users', { headers: { cookie: planted } })).status).toBe(401);
  });

  it('leaves records of signing in and out that do not tell the link', async () => {
    const user = await userWith([]);
    const cookie = await signIn(user.username);
    await http.send('/logout', { headers: { cookie } });
    const records = await database.query<{ operation: string; source_path: string }>(
      `SELECT operation, source_path FROM audit_record WHERE actor_uuid = $1 AND operation IN ('login', 'logout') ORDER BY operation`,
      [user.uuid],
    );
    expect(records).toEqual([
      { operation: 'login', source_path: '/sign-in' },
      { operation: 'logout', source_path: '/logout' },
    ]);
  });

  it('uses the host-bound cookie over HTTPS and no other', async () => {
    const tls = {};
    const path = await linkPath();
    const { headers } = await http.send(path, { method: 'POST', tls });
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-signetry=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await http.send('/api/v1/users', { headers: { cookie }, tls })).status).toBe(200);
    const plain = cookie.replace('__Host-', '');
    expect((await http.send('/api/v1/users', { headers: { cookie: plain }, tls })).status).toBe(401);
    expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(401);
  });
});

describe('a client certificate of the TLS connection', () => {
  it('signs its user in, and nobody when it belongs to no user', async () => {
    const [own, foreign] = [await selfSigned('own'), await selfSigned('foreign')];
    const { uuid } = direct.certificates.put(own.der);
    const user = await userWith([listGroups], direct, uuid);
    const profile = await http.send('/api/v1/auth/profile', { tls: own });
    expect([profile.status, profile.json['username']]).toEqual([200, user.username]);
    const unknown = await http.send('/api/v1/auth/profile', { tls: foreign });
    expect([unknown.status, unknown.json['message']]).toEqual([401, expect.stringContaining('belongs to no user')]);
    expect((await http.send('/api/v1/auth/profile', { tls: {} })).status).toBe(401);
  });

  it('does not count when it is revoked, expired or not yet valid, within five seconds', async () => {
    const own = await selfSigned('own');
    const { uuid } = direct.certificates.put(own.der);
    await userWith([listGroups], direct, uuid);
    const status = async () => {
      direct.clock.advance(4_500);
      return (await http.send('/api/v1/users', { tls: own })).status;
    };
    expect(await status()).toBe(200);
    for (const [broken, mended] of [
      [
        { state: 'revoked', revoked: true },
        { state: 'issued', revoked: false },
      ],
      [{ notAfter: new Date(0) }, { notAfter: new Date('2100-01-01') }],
      [{ notBefore: new Date('2100-01-01') }, { notBefore: new Date(0) }],
    ] as const) {
      direct.certificates.change(uuid, broken);
      expect(await status()).toBe(401);
      direct.certificates.change(uuid, mended);
      expect(await status()).toBe(200);
    }
  });

  it('does not carry changes that a page of another site asks for', async () => {
    const own = await selfSigned('own');
    const { uuid } = direct.certificates.put(own.der);
    const user = await userWith([{ resource: 'roles', action: null }], direct, uuid);
    const create = (headers: Record<string, string>) =>
      http.send('/api/v1/roles', { method: 'POST', body: { name: `role-${++made}` }, headers, tls: own });
    expect((await create({ 'sec-fetch-site': 'cross-site' })).status, user.username).toBe(401);
    expect((await create({})).status).toBe(201);
  });
});

describe('a certificate in a header', () => {
  const forms = (der: Uint8Array) => ({
    pem: encodeURIComponent(writePem('CERTIFICATE', der)),
    base64: Buffer.from(der).toString('base64'),
  });

  it('is ignored unless a configured proxy sent it', async () => {
    const certificate = direct.certificates.add();
    await userWith([listGroups], direct, certificate.uuid);
    for (const name of ['ssl-client-cert', 'x-app-certificate']) {
      for (const value of Object.values(forms(certificate.der))) {
        expect((await http.send('/api/v1/users', { headers: { [name]: value } })).status).toBe(401);
      }
    }
    const token = await tokenOf('admin');
    const both = { 'ssl-client-cert': forms(certificate.der).pem, authorization: token.authorization };
    expect((await http.send('/api/v1/auth/profile', { headers: both })).json['username']).toBe('admin');
  });

  it('signs its user in when a configured proxy sent it, in both headers and both forms', async () => {
    const certificate = proxied.certificates.add();
    const user = await userWith([listGroups], proxied, certificate.uuid);
    for (const name of ['ssl-client-cert', 'X-APP-CERTIFICATE']) {
      for (const value of Object.values(forms(certificate.der))) {
        const reply = await behindProxy.send('/api/v1/auth/profile', { headers: { [name]: value } });
        expect([reply.status, reply.json['username']]).toEqual([200, user.username]);
      }
    }
  });

  it('is refused when it is unreadable, unknown, revoked, or contradicted by the other header', async () => {
    const [one, two] = [proxied.certificates.add(), proxied.certificates.add()];
    await userWith([listGroups], proxied, one.uuid);
    await userWith([listGroups], proxied, two.uuid);
    const revoked = proxied.certificates.add();
    await userWith([listGroups], proxied, revoked.uuid);
    proxied.certificates.change(revoked.uuid, { state: 'revoked', revoked: true });
    for (const headers of [
      { 'ssl-client-cert': 'nonsense%' },
      { 'ssl-client-cert': 'A'.repeat(25_000) },
      { 'ssl-client-cert': forms(Uint8Array.of(0x30, 0)).base64 },
      { 'ssl-client-cert': forms(revoked.der).pem },
      { 'ssl-client-cert': forms(one.der).pem, 'x-app-certificate': forms(two.der).pem },
    ] as readonly Headers[]) {
      expect((await behindProxy.send('/api/v1/users', { headers })).status).toBe(401);
    }
    expect((await behindProxy.send('/api/v1/users', { headers: { 'ssl-client-cert': '' } })).status).toBe(401);
  });

  it('wins over a bearer token, and a session wins over it', async () => {
    const certificate = proxied.certificates.add();
    const user = await userWith([listGroups], proxied, certificate.uuid);
    const { token } = await proxied.area.createAccessToken({ username: 'admin', name: 'test' });
    const both = { 'ssl-client-cert': forms(certificate.der).pem, authorization: `Bearer ${token.reveal()}` };
    const name = async (headers: Record<string, string>) =>
      (await behindProxy.send('/api/v1/auth/profile', { headers })).json['username'];
    expect(await name(both)).toBe(user.username);
    expect(await name({ ...both, cookie: await signIn('admin', proxied, behindProxy) })).toBe('admin');
  });
});

describe('a refused credential', () => {
  const records = async () =>
    database.query<{ operation_result: string; message: string; source_path: string }>(
      `SELECT operation_result, message, source_path FROM audit_record WHERE operation = 'authentication' ORDER BY timestamp`,
    );

  it('leaves one record a minute per caller and reason, without the credential', async () => {
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

  it('leaves no record when none was presented', async () => {
    const before = (await records()).length;
    await http.send('/api/v1/users');
    expect((await records()).length).toBe(before);
  });
});

describe('the Host', () => {
  it('must be one that this server answers for', async () => {
    const { status } = await http.send('/api/v1/users', {
      headers: { host: 'evil.example', ...withToken(await tokenOf('admin')).headers },
    });
    expect(status).toBe(421);
  });
});
