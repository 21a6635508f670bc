// Invitations and passkeys over HTTP, with a software authenticator that can be instructed to lie.
import type { IssuedInvitation, Passkey, PasskeyCreationOptions, Session, UserDetailDto } from '@signetry/contract';
import { createSoftwarePasskey, type SoftwarePasskey } from '@signetry/testkit/passkeys';
import { afterAll, describe, expect, it } from 'vitest';
import { contextOf } from '../testing/identity-fixture.ts';
import { gatekeeperFixture, withToken } from '../testing/gatekeeper-fixture.ts';

const { database, direct, http, userWith, signIn, tokenOf, close } = await gatekeeperFixture();
afterAll(close);

const origin = http.origin.replace('127.0.0.1', 'localhost');
const { host } = new URL(origin);
const HOUR_MS = 3_600_000;

type Headers = Readonly<Record<string, string>>;

/** Posts as one of the platform's pages at `localhost` would. */
const post = (path: string, body: unknown = {}, headers: Headers = {}) =>
  http.send(path, { method: 'POST', body, headers: { host, origin, ...headers } });

async function invite(user: { readonly uuid: string }): Promise<IssuedInvitation & { readonly path: string }> {
  const admin = (await direct.call<UserDetailDto[]>('listUsers')).find(({ username }) => username === 'admin');
  if (!admin) throw new Error('there is no user admin');
  const context = { ...contextOf(admin), origin: http.origin };
  const { body } = await direct.call<{ body: IssuedInvitation }>('createInvitation', {
    params: { userUuid: user.uuid },
    context,
  });
  return { ...body, path: new URL(body.url).pathname };
}

const optionsOf = async (path: string): Promise<PasskeyCreationOptions> =>
  (await post(`${path}/options`)).json as unknown as PasskeyCreationOptions; // the test reads its members

const cookieOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string | undefined => {
  const [first] = (headers['set-cookie'] ?? []) as readonly string[]; // Node's type
  return first?.split(';', 1)[0];
};

/** Creates a user who accepted an invitation. */
async function personWithPasskey(signCount = 0) {
  const user = await userWith([]);
  const { path } = await invite(user);
  const { challenge } = await optionsOf(path);
  const passkey = createSoftwarePasskey({ origin, challenge, signCount });
  const accepted = await post(path, { name: 'Laptop', credential: passkey.credential });
  expect(accepted.status).toBe(200);
  return { user, passkey, cookie: cookieOf(accepted) ?? '' };
}

const newChallenge = async (): Promise<string> => String((await post('/sign-in/passkey/options')).json['challenge']);

async function signInWith(passkey: SoftwarePasskey, lies: object = {}, headers: Headers = {}) {
  const facts = { origin, challenge: await newChallenge(), ...lies };
  return post('/sign-in/passkey', { credential: passkey.assert(facts) }, headers);
}

const usernameOf = async (cookie: string) =>
  (await http.send('/api/v1/auth/profile', { headers: { host, cookie } })).json['username'];

describe('an invitation', () => {
  it('that is invalid creates at most one audit record per minute per IP address, without the link', async () => {
    const rejections = () =>
      database.query<{ message: string; source_path: string; operation_result: string }>(
        `SELECT message, source_path, operation_result FROM audit_record WHERE operation = 'authentication' AND source_path = '/invitation'`,
      );
    direct.clock.advance(60_000);
    const before = (await rejections()).length;
    for (let time = 0; time < 3; time += 1) await http.send(`/invitation/${'A'.repeat(43)}`);
    const records = (await rejections()).slice(before);
    expect(records).toMatchObject([
      { operation_result: 'failure', message: expect.stringContaining('The invitation is unknown') },
    ]);
  });

  it('can be viewed repeatedly, registers a passkey, signs the user in, and is then used up', async () => {
    const user = await userWith([]);
    const { path, url } = await invite(user);
    expect(url.startsWith(`${origin}/invitation/`)).toBe(true);
    for (let look = 0; look < 3; look += 1) {
      const page = await http.send(path, { headers: { host } });
      expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
      expect(page.text).toContain(`<strong>${user.username}</strong>`);
    }
    const { challenge, rp, user: named } = await optionsOf(path);
    expect([rp.id, named.name]).toEqual(['localhost', user.username]);
    const { credential } = createSoftwarePasskey({ origin, challenge });
    const accepted = await post(path, { name: 'Laptop', credential });
    expect([accepted.status, accepted.json]).toEqual([200, { location: '/' }]);
    expect(await usernameOf(cookieOf(accepted) ?? '')).toBe(user.username);
    expect((await http.send(path, { headers: { host } })).status).toBe(410);
    expect((await post(`${path}/options`)).status).toBe(401);
    expect((await post(path, { name: 'Laptop', credential })).status).toBe(401);
  });

  it('opens only one session when it is used concurrently', async () => {
    const { path } = await invite(await userWith([]));
    // All challenges are requested before the first response: a later request would already be rejected.
    const offered = await Promise.all(Array.from({ length: 4 }, () => optionsOf(path)));
    const answers = await Promise.all(
      offered.map(({ challenge }) =>
        post(path, { name: 'x', credential: createSoftwarePasskey({ origin, challenge }).credential }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('that is unknown gets the same response as one that is expired, revoked, replaced, or for a disabled user', async () => {
    const never = `/invitation/${'A'.repeat(43)}`;
    const user = await userWith([]);
    const replaced = await invite(user);
    const revoked = await invite(user);
    const params = { userUuid: user.uuid };
    await direct.call('revokeInvitation', {
      params: { ...params, uuid: revoked.uuid },
      context: contextOf({ uuid: user.uuid, username: 'x' }),
    });
    const disabled = await userWith([]);
    const ofDisabled = await invite(disabled);
    await direct.call('disableUser', { params: { userUuid: disabled.uuid } });
    await direct.call('enableUser', { params: { userUuid: disabled.uuid } });
    const expired = await invite(await userWith([]));
    direct.clock.advance(72 * HOUR_MS);
    const bodies = [never, replaced.path, revoked.path, ofDisabled.path, expired.path].map(async (path) => {
      const page = await http.send(path, { headers: { host } });
      expect(page.status).toBe(410);
      return (await post(`${path}/options`)).text;
    });
    expect(new Set(await Promise.all(bodies)).size).toBe(1);
  });

  it('cannot be created for a disabled user or for the platform itself', async () => {
    const user = await userWith([]);
    await direct.call('disableUser', { params: { userUuid: user.uuid } });
    await expect(invite(user)).rejects.toThrow(/disabled/);
    const acme = (await direct.call<UserDetailDto[]>('listUsers')).find(({ username }) => username === 'acme');
    await expect(invite(acme ?? user)).rejects.toThrow(/belongs to the platform/);
  });

  it('remains valid after a failed attempt', async () => {
    const { path } = await invite(await userWith([]));
    const { challenge } = await optionsOf(path);
    const wrong = createSoftwarePasskey({ origin: 'https://evil.example', challenge, host: 'localhost' });
    expect((await post(path, { name: 'x', credential: wrong.credential })).status).toBe(422);
    const { challenge: next } = await optionsOf(path);
    const { credential } = createSoftwarePasskey({ origin, challenge: next });
    expect((await post(path, { name: 'x', credential })).status).toBe(200);
  });

  it('cannot be created by users for themselves with an access token', async () => {
    const { authorization } = await tokenOf('admin');
    const { json } = await http.send('/api/v1/auth/profile', withToken({ authorization }));
    const path = `/api/x/v1/users/${String(json['uuid'])}/invitations`;
    expect((await http.send(path, { method: 'POST', ...withToken({ authorization }) })).status).toBe(403);
    const cookie = await signIn();
    expect((await http.send(path, { method: 'POST', headers: { cookie } })).status).toBe(201);
  });

  it('cannot be used by a page from a different site, or if the session would be sent unencrypted', async () => {
    const { path } = await invite(await userWith([]));
    expect((await post(`${path}/options`, {}, { origin: 'https://evil.example' })).status).toBe(401);
    expect((await post(`${path}/options`, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
    expect((await post(`${path}/options`, {}, { host: 'ca.example', origin: 'http://ca.example' })).status).toBe(422);
  });

  it.each([
    ['whose challenge is another', { challenge: 'AAAA' }],
    ['that was made for another origin', { origin: 'https://evil.example', host: 'localhost' }],
    ['that was made for another port', { origin: 'http://localhost:1' }],
    ['that was made for another host', { host: 'evil.example' }],
    ['without verification of the user', { userVerified: false }],
    ['of another ceremony', { type: 'webauthn.get' }],
  ])('registers no passkey %s', async (_what, lies) => {
    const { path } = await invite(await userWith([]));
    const { challenge } = await optionsOf(path);
    const { credential } = createSoftwarePasskey({ origin, challenge, ...lies });
    expect((await post(path, { name: 'x', credential })).status).toBe(422);
    expect((await http.send(path, { headers: { host } })).status).toBe(200);
  });

  it('accepts only the challenge of its own ceremony, only once, and only for five minutes', async () => {
    const [one, other] = [await invite(await userWith([])), await invite(await userWith([]))];
    const { challenge } = await optionsOf(other.path);
    const { credential } = createSoftwarePasskey({ origin, challenge });
    expect((await post(one.path, { name: 'x', credential })).status).toBe(422);
    expect((await post(other.path, { name: 'x', credential })).status).toBe(422);
    const late = await optionsOf(one.path);
    direct.clock.advance(5 * 60_000);
    const tooLate = createSoftwarePasskey({ origin, challenge: late.challenge });
    expect((await post(one.path, { name: 'x', credential: tooLate.credential })).status).toBe(422);
    for (const body of [null, {}, [], { name: 'x' }, { name: 'x', credential: { id: '!' } }])
      expect((await post(one.path, body)).status, JSON.stringify(body)).toBe(400);
  });
});

describe('a passkey', () => {
  it('signs its user in, with a new session that replaces the previous one', async () => {
    const { user, passkey, cookie } = await personWithPasskey();
    const answer = await signInWith(passkey, {}, { cookie });
    expect([answer.status, answer.json]).toEqual([200, { location: '/' }]);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^signetry=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await usernameOf(cookieOf(answer) ?? '')).toBe(user.username);
    expect(await usernameOf(cookie)).toBeUndefined();
    const [record] = await database.query<{ operation_data: object }>(
      "SELECT operation_data FROM audit_record WHERE actor_uuid = $1 AND operation = 'login' ORDER BY id DESC LIMIT 1",
      [user.uuid],
    );
    expect(record?.operation_data).toMatchObject({ passkey: { name: 'Laptop' } });
  });

  it('redirects to the requested page, but only within the platform', async () => {
    const { passkey } = await personWithPasskey();
    const redirectTargetOf = async (redirect: string) => {
      const cookie = `signetry-return=${encodeURIComponent(redirect)}`;
      return (await signInWith(passkey, {}, { cookie })).json['location'];
    };
    expect(await redirectTargetOf('/certificates?x=1')).toBe('/certificates?x=1');
    for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])
      expect(await redirectTargetOf(elsewhere), elsewhere).toBe('/');
  });

  it('that is wrong, unknown, or belongs to a disabled user is rejected with the same message', async () => {
    const { passkey, user } = await personWithPasskey();
    const other = await personWithPasskey();
    const stranger = createSoftwarePasskey({ origin, challenge: 'x' });
    const used = await newChallenge();
    expect((await signInWith(passkey, { challenge: used })).status).toBe(200);
    const answers = [
      await signInWith(passkey, { challenge: used }),
      await signInWith(passkey, { challenge: 'AAAA' }),
      await signInWith(passkey, { origin: 'https://evil.example', host: 'localhost' }),
      await signInWith(passkey, { origin: 'http://localhost:1' }),
      await signInWith(passkey, { host: 'evil.example' }),
      await signInWith(passkey, { userVerified: false }),
      await signInWith(passkey, { type: 'webauthn.create' }),
      await signInWith(passkey, { userHandle: Buffer.from(other.user.uuid.replaceAll('-', ''), 'hex').toString('base64url') }), // prettier-ignore
      await post('/sign-in/passkey', { credential: { ...passkey.assert({ origin, challenge: await newChallenge() }), id: other.passkey.id } }), // prettier-ignore
      await signInWith(stranger),
    ];
    await direct.call('disableUser', { params: { userUuid: user.uuid } });
    answers.push(await signInWith(passkey));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.some(({ headers }) => headers['set-cookie'])).toBe(false);
  });

  it('is rejected with a registration challenge', async () => {
    const { passkey } = await personWithPasskey();
    const { challenge } = await optionsOf((await invite(await userWith([]))).path);
    expect((await signInWith(passkey, { challenge })).status).toBe(401);
  });

  it('is rejected if its key was copied, which is recorded in the audit log', async () => {
    const { passkey, user } = await personWithPasskey(7);
    expect((await signInWith(passkey, { signCount: 8 })).status).toBe(200);
    for (const signCount of [8, 5, 0]) expect((await signInWith(passkey, { signCount })).status).toBe(401);
    expect((await signInWith(passkey, { signCount: 9 })).status).toBe(200);
    const records = await database.query<{ message: string }>(
      "SELECT message FROM audit_record WHERE operation = 'authentication' AND resource_objects::text LIKE $1",
      [`%${user.uuid}%`],
    );
    expect(records).toHaveLength(3);
    expect(records[0]?.message).toContain('copy of its key');
  });

  it('can be registered, renamed and removed by its user in a session', async () => {
    const { user, passkey, cookie } = await personWithPasskey();
    const own = (method: string, path = '', body?: unknown) =>
      http.send(`/api/x/v1/passkeys${path}`, { method, headers: { host, origin, cookie }, ...(body ? { body } : {}) });
    const options = (await own('POST', '/registration')).json as unknown as PasskeyCreationOptions;
    expect(options.excludeCredentials.map(({ id }) => id)).toEqual([passkey.id]);
    const second = createSoftwarePasskey({ origin, challenge: options.challenge });
    const made = await own('POST', '', { name: 'Key', credential: second.credential });
    expect([made.status, made.json]).toMatchObject([201, { name: 'Key', host: 'localhost', synced: false }]);
    expect((await own('POST', '', { name: 'Again', credential: second.credential })).status).toBe(422);
    const path = `/${String(made.json['uuid'])}`;
    expect((await own('PATCH', path, { name: 'Spare key' })).json['name']).toBe('Spare key');

    const cookieOfSecond = cookieOf(await signInWith(second)) ?? '';
    expect(await usernameOf(cookieOfSecond)).toBe(user.username);
    const stranger = await signIn();
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {};
      const call = { method, headers: { cookie: stranger }, ...body };
      expect((await http.send(`/api/x/v1/passkeys${path}`, call)).status).toBe(404);
    }
    expect((await own('DELETE', path)).status).toBe(204);
    expect(await usernameOf(cookieOfSecond)).toBeUndefined();
    expect((await signInWith(second)).status).toBe(401);
    const list = (await own('GET')).json as unknown as Passkey[];
    expect(list.map(({ name }) => name)).toEqual(['Laptop']);
    expect((await own('DELETE', `/${list[0]?.uuid ?? ''}`)).status).toBe(204);
    expect(await usernameOf(cookie), 'the session of the call stays').toBe(user.username);
  });

  it('can be created only in a browser session', async () => {
    const user = await userWith([]);
    const call = { method: 'POST', ...withToken(await tokenOf(user.username)) };
    expect((await http.send('/api/x/v1/passkeys/registration', call)).status).toBe(403);
  });

  it('can be removed by an administrator, which also ends its sessions', async () => {
    const { user, passkey, cookie } = await personWithPasskey();
    const admin = await signIn();
    const base = `/api/x/v1/users/${user.uuid}/passkeys`;
    const { json } = await http.send(base, { headers: { cookie: admin } });
    const [listed] = json as unknown as Passkey[];
    expect((await http.send(base, { headers: { host, cookie } })).status).toBe(403);
    const removed = await http.send(`${base}/${listed?.uuid ?? ''}`, { method: 'DELETE', headers: { cookie: admin } });
    expect(removed.status).toBe(204);
    expect(await usernameOf(cookie)).toBeUndefined();
    expect((await signInWith(passkey)).status).toBe(401);
  });
});

describe('sessions', () => {
  it('are listed with their sign-in method, and can be ended individually or all at once except the current one', async () => {
    const { passkey, cookie } = await personWithPasskey();
    const elsewhere = cookieOf(await signInWith(passkey, {}, { 'user-agent': 'Phone/1.0' })) ?? '';
    const third = cookieOf(await signInWith(passkey)) ?? '';
    const call = (method: string, path = '') =>
      http.send(`/api/x/v1/sessions${path}`, { method, headers: { host, origin, cookie } });
    const sessions = (await call('GET')).json as unknown as Session[];
    expect(sessions.map(({ openedWith, current }) => [openedWith, current])).toEqual(
      expect.arrayContaining([
        ['passkey', false],
        ['passkey', false],
        ['invitation', true],
      ]),
    );
    const phone = sessions.find(({ userAgent }) => userAgent === 'Phone/1.0');
    expect(phone?.address).toBe('127.0.0.1');
    expect((await call('DELETE', `/${phone?.uuid ?? ''}`)).status).toBe(204);
    expect((await call('DELETE', `/${phone?.uuid ?? ''}`)).status).toBe(404);
    expect([await usernameOf(elsewhere), typeof (await usernameOf(third))]).toEqual([undefined, 'string']);
    expect((await call('DELETE')).status).toBe(204);
    expect(await usernameOf(third)).toBeUndefined();
    expect(((await call('GET')).json as unknown as Session[]).map(({ current }) => current)).toEqual([true]);
  });

  it('of other users cannot be ended', async () => {
    const { cookie } = await personWithPasskey();
    const [session] = (await http.send('/api/x/v1/sessions', { headers: { host, cookie } }))
      .json as unknown as Session[];
    const call = { method: 'DELETE', headers: { cookie: await signIn() } };
    expect((await http.send(`/api/x/v1/sessions/${session?.uuid ?? ''}`, call)).status).toBe(404);
    expect(typeof (await usernameOf(cookie))).toBe('string');
  });
});
