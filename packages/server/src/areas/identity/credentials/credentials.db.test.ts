import type { AccessToken, IssuedAccessToken, UserDetailDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/database/database.ts';
import { contextOf, identityFixture, type IdentityFixture } from '../testing/identity-fixture.ts';
import { MAX_TOKENS_PER_USER } from './access-tokens.ts';
import { createChallenges } from './challenges.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { deleteExpired } from './store.ts';

const HOUR_MS = 3_600_000;
const opening = { openedWith: 'signInLink', passkeyUuid: null, userAgent: null, address: null } as const;

let database: Database;
let fixture: IdentityFixture;
let sessions: Sessions;

beforeAll(async () => {
  database = await testDatabase();
  fixture = await identityFixture(database);
  sessions = createSessions(fixture.platform, { idleMs: HOUR_MS, lifetimeMs: 8 * HOUR_MS });
});

const createUser = (username: string): Promise<UserDetailDto> => fixture.call('createUser', { body: { username } });
const tokensOf = (user: UserDetailDto) => fixture.call<AccessToken[]>('listAccessTokens', { context: contextOf(user) });

describe('access tokens', () => {
  it('replace a token with the same name on request, and leave all others unchanged', async () => {
    const user = await createUser('replacing');
    for (const name of ['cli', 'other', 'cli']) {
      await fixture.area.createAccessToken({ username: user.username, name, replacesSameName: true });
    }
    expect((await tokensOf(user)).map(({ name }) => name).sort()).toEqual(['cli', 'other']);
  });

  it('are limited in number for each user', async () => {
    const user = await createUser('collector');
    await database.query(
      `INSERT INTO access_token (uuid, user_uuid, name, token_sha256, created_at)
       SELECT gen_random_uuid(), $1, 'n' || n, sha256(n::text::bytea), now() FROM generate_series(1, $2) n`,
      [user.uuid, MAX_TOKENS_PER_USER],
    );
    await expect(fixture.area.createAccessToken({ username: user.username, name: 'one more' })).rejects.toThrow(
      /Revoke one first\./,
    );
  });

  it('cannot be created for the platform itself', async () => {
    await expect(fixture.call('listAccessTokens')).rejects.toThrow(/signed-in user/);
  });
});

describe('clean-up', () => {
  it('removes all expired and used credentials, and keeps the rest', async () => {
    const user = await createUser('tidy');
    const { token: old } = await database.transaction((tx) => sessions.open(tx, user.uuid, opening));
    await createChallenges(fixture.platform).issue({ origin: 'http://localhost' });
    await fixture.area.issueSignInLink(user.username);
    await fixture.area.createAccessToken({
      username: user.username,
      name: 'short',
      expiresAt: new Date(fixture.clock.now().getTime() + HOUR_MS),
    });
    await fixture.area.createAccessToken({ username: user.username, name: 'endless' });
    fixture.clock.advance(HOUR_MS);
    const { token: young } = await database.transaction((tx) => sessions.open(tx, user.uuid, opening));
    const now = fixture.clock.now();
    const facts = { now, idleSince: new Date(now.getTime() - HOUR_MS) };
    expect(await deleteExpired(database.executor, facts)).toBe(4);
    expect(await deleteExpired(database.executor, facts)).toBe(0);
    expect(await sessions.find(old.reveal())).toBeUndefined();
    expect(await sessions.find(young.reveal())).toMatchObject({ userUuid: user.uuid });
    expect((await tokensOf(user)).map(({ name }) => name)).toEqual(['endless']);
  });
});

describe('access tokens created with a token', () => {
  const after = (hours: number) => new Date(fixture.clock.now().getTime() + hours * HOUR_MS);
  /** Returns the context of a call authenticated by this token. */
  const contextWithToken = (user: UserDetailDto, { uuid }: { readonly uuid: string }): RequestContext => {
    const context = contextOf(user);
    return { ...context, actor: { ...context.actor, authMethod: 'token', accessTokenUuid: uuid } };
  };
  const make = (context: RequestContext, body: object = {}) =>
    fixture.call<{ body: IssuedAccessToken }>('createAccessToken', { context, body: { name: 'made', ...body } });
  const makeWith = async (user: UserDetailDto, parent: { readonly uuid: string }, body: object = {}) =>
    (await make(contextWithToken(user, parent), body)).body;
  const revoke = (user: UserDetailDto, uuid: string) =>
    fixture.call('revokeAccessToken', { context: contextOf(user), params: { uuid } });

  it('expire no later than their parent, regardless of the requested expiry', async () => {
    const user = await createUser('inheriting');
    const { row } = await fixture.area.createAccessToken({
      username: user.username,
      name: 'day',
      expiresAt: after(24),
    });
    const endOf = async (body: object) => (await makeWith(user, row, body)).expiresAt;
    expect(await endOf({})).toBe(row.expires_at?.toISOString());
    expect(await endOf({ expiresAt: after(48).toISOString() })).toBe(row.expires_at?.toISOString());
    const sooner = after(1).toISOString();
    expect(await endOf({ expiresAt: sooner })).toBe(sooner);
  });

  it('are revoked with their parent, recursively and on every node, and are listed in the audit log', async () => {
    const user = await createUser('rooted');
    const root = (await make(contextOf(user), { name: 'root' })).body;
    const child = await makeWith(user, root, { name: 'child' });
    const grandchild = await makeWith(user, child, { name: 'grandchild' });
    const beside = (await make(contextOf(user), { name: 'beside' })).body;
    expect([root.madeWith, child.madeWith?.name, grandchild.madeWith?.name]).toEqual([undefined, 'root', 'child']);
    const elsewhere = await identityFixture(database, { sealer: fixture.platform.sealer });
    const isAccepted = (node: IdentityFixture, { token }: IssuedAccessToken) =>
      node.call('identifyUser', { body: { authenticationToken: token } }).then(
        () => true,
        () => false,
      );
    expect(await isAccepted(elsewhere, grandchild)).toBe(true);
    await revoke(user, root.uuid);
    for (const each of [root, child, grandchild]) expect(await isAccepted(fixture, each)).toBe(false);
    elsewhere.clock.advance(5_000);
    expect([await isAccepted(elsewhere, grandchild), await isAccepted(elsewhere, beside)]).toEqual([false, true]);
    const [record] = await database.query<{ operation_data: unknown }>(
      'SELECT operation_data FROM audit_record ORDER BY id DESC LIMIT 1',
    );
    expect(record?.operation_data).toMatchObject({
      accessToken: { name: 'root' },
      endedWithIt: expect.arrayContaining([
        { uuid: child.uuid, name: 'child' },
        { uuid: grandchild.uuid, name: 'grandchild' },
      ]),
    });
  });

  it('cannot be created with a token that was revoked in the meantime', async () => {
    const user = await createUser('late');
    const root = (await make(contextOf(user))).body;
    await revoke(user, root.uuid);
    await expect(makeWith(user, root)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it("remain valid when their parent is replaced, and are revoked with the parent's successor", async () => {
    const user = await createUser('renewing');
    const next = () =>
      fixture.area.createAccessToken({ username: user.username, name: 'run file', replacesSameName: true });
    const made = await makeWith(user, (await next()).row, { name: 'kept' });
    const { row } = await next();
    expect((await tokensOf(user)).find(({ uuid }) => uuid === made.uuid)?.madeWith?.uuid).toBe(row.uuid);
    await revoke(user, row.uuid);
    expect(await tokensOf(user)).toEqual([]);
  });
});

describe('a session', () => {
  it('expires if it is idle, even if it is being polled, but not while it is in use', async () => {
    const user = await createUser('idle');
    const open = () => database.transaction((tx) => sessions.open(tx, user.uuid, { ...opening, idleS: 600 }));
    const [used, watched] = [(await open()).token.reveal(), (await open()).token.reveal()];
    for (let minutes = 0; minutes < 12; minutes += 4) {
      expect(await sessions.find(used)).toBeDefined();
      if (minutes < 8) expect(await sessions.find(watched, { isUse: false })).toBeDefined();
      fixture.clock.advance(4 * 60_000);
    }
    expect(await sessions.find(used)).toBeDefined();
    expect(await sessions.find(watched, { isUse: false })).toBeUndefined();
  });
});
