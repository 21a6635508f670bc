// A second user: invited by link, signed in with a passkey, locked out when disabled; and what an attacker can achieve.
import { readFile } from 'node:fs/promises';
import { createSoftwarePasskey } from '@signetry/testkit/passkeys';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, vi } from 'vitest';
import { createTestBrowser, sessionIn, type TestBrowser } from './testing/passkeys.ts';
import { send } from './testing/raw-request.ts';

const server = sharedTestServer({
  args: [
    '--limit-failed-sign-ins-of-user=3/hour',
    '--session-idle-minutes=2',
    '--session-hours=3',
    '--invitation-hours=5',
  ],
});

const HOUR_MS = 3_600_000;
const PROFILE = '/api/v1/auth/profile';
/** Every node sees changes within 5 s. */
const SOON = { timeout: 5_000, interval: 100 };

let made = 0;
async function invite() {
  const { uuid } = await server.client.users.createUser({ body: { username: `person-${++made}` } });
  const invitation = await server.client.invitations.createInvitation({ params: { userUuid: uuid } });
  return { userUuid: uuid, invitation, path: new URL(invitation.url).pathname };
}

const overHttp = (from?: string): TestBrowser =>
  createTestBrowser(server.ready.http, from === undefined ? {} : { from });

async function person() {
  const { userUuid, path } = await invite();
  return { userUuid, ...(await overHttp().accept(path)) };
}

const query = (statement: string, values: readonly unknown[]) =>
  server.running.platform.database.query(statement, values);

describe('a second user', () => {
  it('signs in over HTTPS with a host-bound cookie, and a stolen cookie stops working at sign-out', async () => {
    const ca = await readFile(server.ready.rootCertificate, 'utf8');
    const browser = createTestBrowser(server.ready.https, { tls: { ca } });
    const { passkey, setCookie } = await browser.accept((await invite()).path);
    expect(setCookie).toMatch(/^__Host-signetry=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const session = sessionIn(await browser.signIn(passkey));
    expect((await browser.get(PROFILE, session)).status).toBe(200);
    await browser.post('/logout', {}, { cookie: session });
    expect((await browser.get(PROFILE, session)).status).toBe(401);
  });

  it('loses access within 5 s of being disabled, and cannot sign in again', async () => {
    const { userUuid, passkey, session } = await person();
    const browser = overHttp();
    expect((await browser.get(PROFILE, session)).status).toBe(200);
    await server.client.users.disableUser({ params: { userUuid } });
    await vi.waitFor(async () => expect((await browser.get(PROFILE, session)).status).toBe(401), SOON);
    expect((await browser.signIn(passkey)).status).toBe(401);
    const refused = server.client.invitations.createInvitation({ params: { userUuid } });
    await expect(refused).rejects.toMatchObject({ status: 422 });
    await server.client.users.enableUser({ params: { userUuid } });
    expect((await browser.get(PROFILE, session)).status).toBe(401);
    expect((await browser.signIn(passkey)).status).toBe(200);
  });

  it('has sessions and invitations with the configured lifetimes', async () => {
    const { invitation } = await invite();
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(5 * HOUR_MS);
    const { session } = await person();
    const [own] = JSON.parse((await overHttp().get('/api/x/v1/sessions', session)).text) as {
      uuid: string;
      createdAt: string;
      expiresAt: string;
    }[];
    expect(Date.parse(own?.expiresAt ?? '') - Date.parse(own?.createdAt ?? '')).toBe(3 * HOUR_MS);
    await query("UPDATE session SET last_seen_at = now() - interval '121 seconds' WHERE uuid = $1", [own?.uuid]);
    // A sign-in by a different user clears the node's session cache.
    await person();
    await vi.waitFor(async () => expect((await overHttp().get(PROFILE, session)).status).toBe(401), SOON);
  });
});

describe('an attacker', () => {
  it('gets the same error for a replayed challenge, an incorrect origin, and an unknown passkey', async () => {
    const browser = overHttp();
    const { passkey } = await person();
    const used = await browser.newChallenge();
    expect((await browser.signIn(passkey, { challenge: used })).status).toBe(200);
    const stranger = createSoftwarePasskey({ origin: browser.origin, challenge: 'x' });
    const answers = [
      await browser.signIn(passkey, { challenge: used }),
      await browser.signIn(passkey, { origin: 'https://evil.example', host: 'localhost' }),
      await browser.signIn(stranger),
    ];
    for (const { status, headers } of answers) expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('cannot use an invitation that was used, has expired, or belongs to a disabled user', async () => {
    const used = await invite();
    await overHttp().accept(used.path);
    const expired = await invite();
    await query("UPDATE invitation SET expires_at = now() - interval '1 second' WHERE uuid = $1", [
      expired.invitation.uuid,
    ]);
    const disabled = await invite();
    await server.client.users.disableUser({ params: { userUuid: disabled.userUuid } });
    for (const { path } of [used, expired, disabled]) {
      expect((await send(server.ready.http, path)).status).toBe(410);
      expect((await overHttp().post(`${path}/options`, {})).status).toBe(401);
    }
  });

  it('is locked out of an account after repeated attempts, without locking out its owner elsewhere', async () => {
    const { passkey } = await person();
    const [attacker, owner] = [overHttp('127.0.0.2'), overHttp('127.0.0.3')];
    const failSignIn = () => attacker.signIn(passkey, { userVerified: false });
    const statuses = [];
    for (let tries = 0; tries < 5; tries += 1) statuses.push((await failSignIn()).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const right = await attacker.signIn(passkey);
    expect([right.status, Number(right.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await owner.signIn(passkey)).status).toBe(200);
    const other = await person();
    expect((await attacker.signIn(other.passkey)).status).toBe(200);
  });
});
