import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { gatekeeperFixture, selfSigned, withToken } from '../testing/gatekeeper-fixture.ts';

const { database, direct, proxied, http, behindProxy, userWith, tokenOf, linkPath, signIn, close } =
  await gatekeeperFixture();
afterAll(close);

let made = 0;
const newRoleName = (): string => `role-${++made}`;

type Headers = Readonly<Record<string, string>>;

describe('a sign-in link', () => {
  it('is not consumed when it is viewed, opens one session, and then explains how to get a new link', async () => {
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

  it('opens only one session if it is used multiple times simultaneously', async () => {
    const path = await linkPath();
    const replies = await Promise.all(Array.from({ length: 5 }, () => http.send(path, { method: 'POST' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
  });

  it('that is invalid creates one audit record per minute and IP address, without the link', async () => {
    const rejections = () =>
      database.query<{ message: string; source_path: string }>(
        `SELECT message, source_path FROM audit_record WHERE operation = 'authentication' AND source_path = '/sign-in'`,
      );
    direct.clock.advance(60_000);
    const [path, before] = [await linkPath(), (await rejections()).length];
    await http.send(path, { method: 'POST' });
    for (let time = 0; time < 3; time += 1) await http.send(path, { method: 'POST' });
    const [record, ...more] = (await rejections()).slice(before);
    expect(record).toMatchObject({ message: expect.stringContaining('sign-in link is unknown, used or expired') });
    expect(more).toEqual([]);
  });

  it('expires after 15 minutes', async () => {
    const path = await linkPath();
    direct.clock.advance(15 * 60_000 - 1_000);
    expect((await http.send(path)).status).toBe(200);
    direct.clock.advance(1_000);
    expect([(await http.send(path)).status, (await http.send(path, { method: 'POST' })).status]).toEqual([410, 410]);
  });

  it('that never existed gets the same response as an expired one', async () => {
    for (const token of ['x', 'A'.repeat(43), '..%2f']) expect((await http.send(`/sign-in/${token}`)).status).toBe(410);
  });

  it('cannot be used by a page from a different site', async () => {
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

  it('opens no session if the session would be sent unencrypted', async () => {
    const path = await linkPath();
    const reply = await http.send(path, { method: 'POST', headers: { host: 'ca.example:8080' } });
    expect([reply.status, reply.headers['set-cookie']]).toEqual([400, undefined]);
    const cookie = await signIn();
    expect((await http.send('/api/v1/users', { headers: { host: 'ca.example:8080', cookie } })).status).toBe(401);
  });

  it('is created for the caller of the operation, with the host name that the caller used', async () => {
    const user = await userWith([]);
    const { status, json } = await http.send('/api/x/v1/signInLinks', {
      method: 'POST',
      headers: { cookie: await signIn(user.username) },
    });
    expect(status).toBe(201);
    expect(String(json['url'])).toMatch(new RegExp(`^${http.origin}/sign-in/[\\w-]{43}$`));
    const { headers } = await http.send(new URL(String(json['url'])).pathname, { method: 'POST' });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await http.send('/api/v1/auth/profile', { headers: { cookie } })).json['username']).toBe(user.username);
  });

  it('cannot be created with any token except that of the run file, or with a client certificate', async () => {
    const make = (options: { readonly headers: Headers }, over = http) =>
      over.send('/api/x/v1/signInLinks', { method: 'POST', ...options });
    const refused = await make(withToken(await tokenOf('admin')));
    expect([refused.status, refused.json['code']]).toEqual([403, 'ACCESS_DENIED']);
    expect(refused.json['message']).toContain('signetry sign-in');
    const { cert, der } = await selfSigned('CN=link');
    const user = await userWith([], proxied, proxied.certificates.put(der).uuid);
    const certificate = { 'ssl-client-cert': encodeURIComponent(cert) };
    expect((await behindProxy.send('/api/v1/auth/profile', { headers: certificate })).json['username']).toBe(
      user.username,
    );
    expect((await make({ headers: certificate }, behindProxy)).status).toBe(403);
    const { token } = await direct.area.createAccessToken({ username: 'admin', name: 'run', opensSessions: true });
    const ofRunFile = withToken({ authorization: `Bearer ${token.reveal()}` });
    expect((await make(ofRunFile)).status).toBe(201);
    const { json } = await http.send('/api/x/v1/accessTokens', {
      method: 'POST',
      ...ofRunFile,
      body: { name: 'made with it' },
    });
    expect((await make(withToken({ authorization: `Bearer ${String(json['token'])}` }))).status).toBe(403);
  });
});

describe('the sign-in pages', () => {
  it('load no resources, run no scripts, and cannot be framed or cached', async () => {
    for (const path of [await linkPath(), '/sign-in/x', '/login']) {
      const { headers, text } = await http.send(path);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
      expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'same-origin']);
      expect(text).not.toMatch(/<script|<link|<img|style=|\son\w+=| src=/);
    }
  });

  it("that request a passkey load only the platform's own script, and run nothing inline", async () => {
    const { headers, text } = await http.send('/login', { headers: { host: 'localhost' } });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/sign-in/passkeys.js" defer>']);
    expect(text).not.toMatch(/<link|<img|style=|\son\w+=/);
    const script = await http.send('/sign-in/passkeys.js');
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('link from a local IP address to localhost, where passkeys work', async () => {
    const { text } = await http.send('/login?redirect=/certificates%22%3E');
    expect(text).toContain(
      `href="${http.origin.replace('127.0.0.1', 'localhost')}/login?redirect=/certificates%22%3E"`,
    );
    expect(text).toContain('never to an IP address');
  });

  it('redirect a signed-in browser only to paths on the platform', async () => {
    const cookie = await signIn();
    const redirectTargetOf = async (redirect: string) =>
      (await http.send(`/login?redirect=${encodeURIComponent(redirect)}`, { headers: { cookie } })).headers.location;
    expect(await redirectTargetOf('/administrator/?a=b#c')).toBe('/administrator/?a=b#c');
    for (const elsewhere of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'evil',
      'javascript:alert(1)',
      '/a\r\nset-cookie: x=y',
    ]) {
      expect(await redirectTargetOf(elsewhere), elsewhere).toBe('/');
    }
    expect((await http.send('/login?redirect=/x')).status).toBe(200);
  });

  it('remember the requested page during sign-in, once, and only for paths on the platform', async () => {
    const signInAfter = async (redirect: string) => {
      const asked = await http.send(`/login?redirect=${encodeURIComponent(redirect)}`);
      const kept = asked.headers['set-cookie']?.[0] ?? '';
      const cookie = kept.split(';', 1)[0] ?? '';
      const { headers } = await http.send(await linkPath(), { method: 'POST', headers: { cookie } });
      return { kept, location: headers.location, cookies: headers['set-cookie'] ?? [] };
    };
    const { kept, location, cookies } = await signInAfter('/certificates?filter=a b&x=%22');
    expect(location).toBe('/');
    const good = await signInAfter('/certificates?filter=a%20b');
    expect(good.location).toBe('/certificates?filter=a%20b');
    expect(good.kept).toMatch(/; Max-Age=900; Path=\/sign-in; HttpOnly; SameSite=Lax$/);
    expect(good.cookies).toContainEqual(expect.stringMatching(/^signetry-return=; Max-Age=0/));
    expect([kept, cookies.length]).toEqual(['', 1]);
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example'])
      expect((await signInAfter(elsewhere)).location, elsewhere).toBe('/');
    const forged = { cookie: 'signetry-return=%2F%2Fevil.example' };
    expect((await http.send(await linkPath(), { method: 'POST', headers: forged })).headers.location).toBe('/');
  });
});

describe('a session', () => {
  it("authenticates API requests through its cookie, for reads and for changes from the platform's own pages", async () => {
    const cookie = await signIn();
    expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(200);
    const create = (headers: Record<string, string>) =>
      http.send('/api/v1/roles', { method: 'POST', body: { name: newRoleName() }, headers: { cookie, ...headers } });
    expect((await create({})).status).toBe(201);
    expect((await create({ origin: http.origin })).status).toBe(201);
    expect((await create({ 'sec-fetch-site': 'same-origin', origin: http.origin })).status).toBe(201);
  });

  it('does not authenticate changes requested by a page from a different site', async () => {
    const cookie = await signIn();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: http.origin },
    ] as readonly Headers[]) {
      const body = { name: newRoleName() };
      const reply = await http.send('/api/v1/roles', { method: 'POST', body, headers: { cookie, ...headers } });
      expect(reply.status, JSON.stringify(headers)).toBe(401);
    }
  });

  it('expires after an hour without use, and always after eight hours', async () => {
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

  it('ends at sign-out, regardless of how sign-out is requested', async () => {
    for (const method of ['GET', 'POST']) {
      const cookie = await signIn();
      const reply = await http.send('/logout', { method, headers: { cookie } });
      expect([reply.status, reply.headers.location]).toEqual([303, '/login']);
      expect(reply.headers['set-cookie']?.[0]).toMatch(/^signetry=; Max-Age=0;/);
      expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(401);
    }
    expect((await http.send('/logout')).status).toBe(303);
  });

  it('cannot be ended by a different site: a user who is sent to sign-out from there must confirm it', async () => {
    const cookie = await signIn();
    const elsewhere: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
      { referer: 'https://evil.example/page' },
      { referer: 'nonsense' },
    ];
    for (const headers of elsewhere) {
      const asked = await http.send('/logout', { headers: { cookie, ...headers } });
      expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
      expect(asked.text).toMatch(/<form method="post" action="\/logout">/);
    }
    const posted = await http.send('/logout', { method: 'POST', headers: { cookie, origin: 'https://evil.example' } });
    expect([posted.status, posted.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(200);
    const { origin } = http;
    const own = { method: 'POST', headers: { cookie, origin, 'sec-fetch-site': 'same-origin' } };
    expect((await http.send('/logout', own)).status).toBe(303);
    expect((await http.send('/api/v1/users', { headers: { cookie } })).status).toBe(401);
  });

  it("is ended by a link on the platform's own pages or by a URL that the user entered", async () => {
    const ways: readonly Record<string, string>[] = [
      { referer: `${http.origin}/certificates` },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', referer: `${http.origin}/` },
    ];
    for (const headers of ways) {
      const cookie = await signIn();
      expect((await http.send('/logout', { headers: { cookie, ...headers } })).status).toBe(303);
    }
  });

  it('gets a new ID at sign-in; the previous session ends, and a planted ID is never accepted', async () => {
    const before = await signIn();
    const { headers } = await http.send(await linkPath(), { method: 'POST', headers: { cookie: before } });
    expect(headers['set-cookie']?.[0]).not.toContain(before);
    expect((await http.send('/api/v1/users', { headers: { cookie: before } })).status).toBe(401);
    const planted = `signetry=${'A'.repeat(43)}`;
    await http.send(await linkPath(), { method: 'POST', headers: { cookie: planted } });
    expect((await http.send('/api/v1/users', { headers: { cookie: planted } })).status).toBe(401);
  });

  it('creates audit records for sign-in and sign-out that do not contain the link', async () => {
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

  it('uses the host-bound cookie over HTTPS, and no other cookie', async () => {
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
