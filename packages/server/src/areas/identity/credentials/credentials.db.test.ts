import type { AccessToken, UserDetailDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { contextOf, identityFixture, type IdentityFixture } from '../testing/identity-fixture.ts';
import { MAX_TOKENS_PER_USER } from './access-tokens.ts';
import { createSessions, SESSION_IDLE_MS, type Sessions } from './sessions.ts';
import { deleteExpired } from './store.ts';

let database: Database;
let fixture: IdentityFixture;
let sessions: Sessions;

beforeAll(async () => {
  database = await testDatabase();
  fixture = await identityFixture(database);
  sessions = createSessions(fixture.platform);
});

const createUser = (username: string): Promise<UserDetailDto> => fixture.call('createUser', { body: { username } });
const tokensOf = (user: UserDetailDto) => fixture.call<AccessToken[]>('listAccessTokens', { context: contextOf(user) });

describe('access tokens', () => {
  it('replace those of the same name when asked to, and leave the others', async () => {
    const user = await createUser('replacing');
    for (const name of ['cli', 'other', 'cli']) {
      await fixture.area.createAccessToken({ username: user.username, name, replacesSameName: true });
    }
    expect((await tokensOf(user)).map(({ name }) => name).sort()).toEqual(['cli', 'other']);
  });

  it('are limited in number per user', async () => {
    const user = await createUser('collector');
    await database.query(
      `INSERT INTO access_token (uuid, user_uuid, name, token_sha256, created_at)
       SELECT gen_random_uuid(), $1, 'n' || n, sha256(n::text::bytea), now() FROM generate_series(1, $2) n`,
      [user.uuid, MAX_TOKENS_PER_USER],
    );
    await expect(fixture.area.createAccessToken({ username: user.username, name: 'one more' })).rejects.toThrow(
      /revoke one/,
    );
  });

  it('are not for the platform itself', async () => {
    await expect(fixture.call('listAccessTokens')).rejects.toThrow(/signed-in user/);
  });
});

describe('clean-up', () => {
  it('removes what can never be used again and keeps the rest', async () => {
    const user = await createUser('tidy');
    const row = { user_uuid: user.uuid };
    const { token: old } = await database.transaction((tx) => sessions.open(tx, row.user_uuid));
    const hour = 3_600_000;
    await fixture.area.issueSignInLink(user.username);
    await fixture.area.createAccessToken({
      username: user.username,
      name: 'short',
      expiresAt: new Date(fixture.clock.now().getTime() + hour),
    });
    await fixture.area.createAccessToken({ username: user.username, name: 'endless' });
    fixture.clock.advance(hour);
    const { token: young } = await database.transaction((tx) => sessions.open(tx, row.user_uuid));
    const now = fixture.clock.now();
    const facts = { now, idleSince: new Date(now.getTime() - SESSION_IDLE_MS) };
    expect(await deleteExpired(database.executor, facts)).toBe(3);
    expect(await deleteExpired(database.executor, facts)).toBe(0);
    expect([await sessions.userOf(old.reveal()), await sessions.userOf(young.reveal())]).toEqual([
      undefined,
      user.uuid,
    ]);
    expect((await tokensOf(user)).map(({ name }) => name)).toEqual(['endless']);
  });
});
