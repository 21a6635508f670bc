// Authentication and authorization: sign-in link and session, access tokens, client certificates, roles.
import { readFile } from 'node:fs/promises';
import { exportPrivateKeyPem } from '@signetry/pki/node';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import type { UserDetailDto } from '@signetry/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue, type IssuedCertificate } from './testing/certificates.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { send, type RawResponse } from './testing/raw-request.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
const { clientOf } = server;
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

const profileWith = (headers: Record<string, string>): Promise<RawResponse> =>
  send(server.ready.http, '/api/v1/auth/profile', { headers });
const usernameIn = (answer: RawResponse): string | undefined =>
  (JSON.parse(answer.text) as { username?: string }).username; // Profile or error response.

describe('the sign-in link from the first start', () => {
  let link: URL;

  beforeAll(() => {
    link = new URL(server.ready.signIn);
  });

  const open = (method: 'GET' | 'POST', headers: Record<string, string> = {}) =>
    send(link.origin, link.pathname, {
      method,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  it('shows a page with a button each time it is opened, and the page must not be cached', async () => {
    for (let looks = 0; looks < 2; looks += 1) {
      const page = await open('GET');
      expect(page.status).toBe(200);
      expect(page.text).toContain('<form method="post">');
      expect(page.headers['cache-control']).toContain('no-store');
      expect(page.headers['referrer-policy']).toBe('same-origin');
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/);
      expect(page.headers['set-cookie']).toBeUndefined();
    }
  });

  it("does not sign in from a different site's page", async () => {
    const answer = await open('POST', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('limits the form body to what the button sends, and is not used up by a rejected request', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: link.origin };
    const answer = await send(link.origin, link.pathname, { method: 'POST', headers, body: 'x'.repeat(1025) });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('1024 bytes');
    expect((await open('GET')).status).toBe(200);
  });

  it('opens only one session, and signing out ends the session', async () => {
    const signedIn = await open('POST', { origin: link.origin });
    expect(signedIn.status).toBe(303);
    const [setCookie = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Lax/);
    const cookie = setCookie.split(';', 1)[0] ?? '';
    expect(usernameIn(await profileWith({ cookie }))).toBe('admin');

    expect((await open('POST', { origin: link.origin })).status).toBe(410);
    expect((await open('GET')).status).toBe(410);

    const foreign = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const forged = await send(server.ready.http, '/api/v1/groups', {
      method: 'POST',
      headers: { ...foreign, 'content-type': 'application/json' },
      body: '{"name":"forged"}',
    });
    expect(forged.status).toBe(401);

    await send(server.ready.http, '/logout', { method: 'POST', headers: { cookie, origin: link.origin } });
    expect((await profileWith({ cookie })).status).toBe(401);
  });

  it('can be replaced by links that the signed-in user creates', async () => {
    const { url, expiresAt } = await client.signInLinks.createSignInLink();
    expect(new URL(url).pathname).toMatch(/^\/sign-in\/.{20,}/);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15);
  });
});

describe('an access token', () => {
  it('grants access until it is revoked, and is shown once', async () => {
    const { uuid, token } = await client.accessTokens.createAccessToken({ body: { name: 'script' } });
    const script = clientOf(token);
    expect((await script.auth.getUserProfile()).username).toBe('admin');
    const listed = await client.accessTokens.listAccessTokens();
    expect(listed.map(({ name }) => name)).toContain('script');
    expect(JSON.stringify(listed)).not.toContain(token);
    await client.accessTokens.revokeAccessToken({ params: { uuid } });
    await expect(script.auth.getUserProfile()).rejects.toMatchObject({ status: 401 });
  });

  it('that has expired is rejected', async () => {
    const { token } = await client.accessTokens.createAccessToken({
      body: { name: 'short', expiresAt: new Date(Date.now() + 1_500).toISOString() },
    });
    const short = clientOf(token);
    expect((await short.auth.getUserProfile()).username).toBe('admin');
    await vi.waitFor(() => expect(short.auth.getUserProfile()).rejects.toMatchObject({ status: 401 }), {
      timeout: 10_000,
      interval: 200,
    });
  });
});

describe('a client certificate', () => {
  let user: UserDetailDto;
  let certificate: IssuedCertificate;
  let tls: { ca: string; cert: string; key: string };

  beforeAll(async () => {
    const request = await makeRequest({ subject: 'CN=operator' });
    certificate = await issue(client, path, request);
    user = await client.users.createUser({
      body: {
        username: 'operator',
        email: 'operator@example.org',
        enabled: true,
        certificateData: certificate.der.toString('base64'),
      },
    });
    tls = {
      ca: await readFile(server.ready.rootCertificate, 'utf8'),
      cert: certificate.pem,
      key: await exportPrivateKeyPem(request.privateKey),
    };
  });

  const profileOver = (certificateAndKey: { cert?: string; key?: string }) =>
    send(server.ready.https, '/api/v1/auth/profile', { tls: { ca: tls.ca, ...certificateAndKey } });

  it('signs in its user over HTTPS on a server whose certificate chains to the root', async () => {
    expect(usernameIn(await profileOver(tls))).toBe('operator');
    expect((await profileOver({})).status).toBe(401);
  });

  it('that does not belong to any user is rejected', async () => {
    const request = await makeRequest({ subject: 'CN=nobody' });
    const { pem } = await issue(client, path, request);
    const answer = await profileOver({ cert: pem, key: await exportPrivateKeyPem(request.privateKey) });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('belongs to no user');
  });

  it('in a header is ignored unless the header was sent by a trusted proxy', async () => {
    const header = encodeURIComponent(certificate.pem);
    for (const name of ['ssl-client-cert', 'x-app-certificate'])
      expect((await profileWith({ [name]: header })).status).toBe(401);
  });

  it('stops working within seconds after its user is disabled', async () => {
    const params = { userUuid: user.uuid };
    await client.users.disableUser({ params });
    await vi.waitFor(async () => expect((await profileOver(tls)).status).toBe(401), { timeout: 5_000, interval: 100 });
    await client.users.enableUser({ params });
    await vi.waitFor(async () => expect((await profileOver(tls)).status).toBe(200), { timeout: 5_000, interval: 100 });
  });

  it('that has been revoked no longer signs in its user', async () => {
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: certificate.uuid },
      body: { reason: 'keyCompromise', attributes: [] },
    });
    const answer = await profileOver(tls);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('revoked');
  });
});

describe('a user', () => {
  let made = 0;
  /** Creates a user who signs in with a certificate and creates a token: other users cannot create one for them. */
  async function userWithToken(): Promise<{ readonly uuid: string; readonly token: string }> {
    const request = await makeRequest({ subject: `CN=user-${++made}` });
    const { der, pem } = await issue(client, path, request);
    const { uuid } = await client.users.createUser({
      body: { username: `user-${made}`, enabled: true, certificateData: der.toString('base64') },
    });
    const answer = await send(server.ready.https, '/api/x/v1/accessTokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"test"}',
      tls: {
        ca: await readFile(server.ready.rootCertificate, 'utf8'),
        cert: pem,
        key: await exportPrivateKeyPem(request.privateKey),
      },
    });
    expect(answer.status).toBe(201);
    return { uuid, token: (JSON.parse(answer.text) as { token: string }).token }; // Response with the created token.
  }

  it('without a role gets 403 with the code ACCESS_DENIED, and lists only their own objects', async () => {
    const { token } = await userWithToken();
    const nobody = clientOf(token);
    const { allowedListings } = (await nobody.auth.getUserProfile()).permissions;
    expect(allowedListings).toEqual(['certificates', 'keys']);
    expect((await nobody.certificates.listCertificates({ body: {} })).totalItems).toBe(0);
    const refused = [
      () => nobody.groups.createGroup({ body: { name: 'mine' } }),
      () => nobody.users.listUsers(),
      () => nobody.auditLogs.listAuditLogs({ body: {} }),
    ];
    for (const call of refused)
      await expect(call()).rejects.toMatchObject({
        status: 403,
        code: 'ACCESS_DENIED',
        message: expect.stringMatching(/^You need the permission \w+ on \w+/),
      });
  });

  it("gets a role's permissions, sees them in the profile, and loses them within seconds after the role is removed", async () => {
    const { uuid: userUuid, token } = await userWithToken();
    const operator = clientOf(token);
    const role = (await client.roles.listRoles()).find(({ name }) => name === 'admin');
    const params = { userUuid, roleUuid: role?.uuid ?? '' };
    await client.users.addUserRole({ params });
    await vi.waitFor(() => operator.groups.listGroups(), { timeout: 5_000, interval: 100 });
    const { allowedListings } = (await operator.auth.getUserProfile()).permissions;
    expect(allowedListings).toEqual(expect.arrayContaining(['groups', 'certificates', 'users', 'auditLogs']));
    await operator.groups.createGroup({ body: { name: 'kept' } });
    await client.users.removeUserRole({ params });
    await vi.waitFor(() => expect(operator.groups.listGroups()).rejects.toMatchObject({ status: 403 }), {
      timeout: 5_000,
      interval: 100,
    });
  });

  it('cannot escalate their own permissions, regardless of additional properties in the request', async () => {
    const { uuid, token } = await userWithToken();
    const climber = clientOf(token);
    const superadmin = (await client.roles.listRoles()).find(({ name }) => name === 'superadmin')?.uuid ?? '';
    await expect(climber.users.addUserRole({ params: { userUuid: uuid, roleUuid: superadmin } })).rejects.toMatchObject(
      { status: 403 },
    );
    const dressedUp = { email: 'me@example.org', roles: [superadmin], systemUser: true, enabled: true };
    await climber.auth.updateUserProfile({ body: dressedUp });
    const { roles, systemUser } = await client.users.getUser({ params: { userUuid: uuid } });
    expect(roles).toEqual([]);
    expect(systemUser).toBe(false);
  });

  it('is recorded in the audit log for both successful and denied operations', async () => {
    const { uuid, token } = await userWithToken();
    const { username } = await client.users.getUser({ params: { userUuid: uuid } });
    await expect(clientOf(token).groups.createGroup({ body: { name: 'refused' } })).rejects.toMatchObject({
      status: 403,
    });
    const { items } = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 100 } });
    const refusals = items.filter(({ operationResult, actor }) => operationResult === 'failure' && actor.uuid === uuid);
    expect(refusals).toMatchObject([{ operation: 'create', resource: { type: 'groups' }, actor: { name: username } }]);
    expect(items.some(({ operation, actor }) => operation === 'issue' && actor.name === 'admin')).toBe(true);
  });
});

describe('the administrator', () => {
  it('cannot be disabled or deleted if there is no other administrator', async () => {
    const admin = (await client.users.listUsers()).find(({ username }) => username === 'admin')?.uuid ?? '';
    const params = { userUuid: admin };
    await expect(client.users.disableUser({ params })).rejects.toMatchObject({ status: 400 });
    await expect(client.users.deleteUser({ params })).rejects.toMatchObject({ status: 400 });
    expect((await client.auth.getUserProfile()).enabled).toBe(true);
  });

  it('is created only once: the local endpoint is closed as soon as there is an administrator', async () => {
    const answer = await send(server.ready.http, '/api/v1/local/admins', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"username":"second"}',
    });
    expect(answer.status).toBe(401);
  });
});
