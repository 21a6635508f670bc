import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, temporaryFolder } from '../testing/fake-platform.ts';

const replies = {
  'GET /v1/auth/profile': { body: { username: 'ann' } },
  'GET /x/v1/auth/tokens': { body: [] },
};

describe('login', () => {
  it('stores named contexts, which other commands use', async () => {
    const home = temporaryFolder();
    const environment = { XDG_CONFIG_HOME: home };
    const [one, two] = [await startFakePlatform(replies), await startFakePlatform(replies)];
    const signIn = (url: string, name: string) =>
      run(['login', url, '--token', `of-${name}`, '--context', name], { environment });
    expect(await signIn(one.url, 'one')).toMatchObject({ code: 0, out: expect.stringContaining('as ann') });
    expect((await signIn(two.url, 'two')).out).not.toContain('of-two');
    expect(statSync(join(home, 'signetry', 'contexts.json')).mode & 0o777).toBe(0o600);

    await run(['token', 'list', '--context', 'one'], { environment });
    expect(one.asked.at(-1)?.authorization).toBe('Bearer of-one');
    await run(['token', 'list'], { environment: { ...environment, SIGNETRY_CONTEXT: 'one' } });
    expect(one.asked).toHaveLength(3);
    // The latest login applies by default.
    await run(['token', 'list'], { environment });
    expect(two.asked.at(-1)).toMatchObject({ authorization: 'Bearer of-two' });
    expect(two.asked).toHaveLength(2);
  });

  it('stores nothing that the platform rejects', async () => {
    const environment = { XDG_CONFIG_HOME: temporaryFolder() };
    const refusing = await startFakePlatform({
      'GET /v1/auth/profile': { status: 401, body: { code: 'UNAUTHORIZED', message: 'Sign in first.' } },
    });
    const refused = await run(['login', refusing.url, '--token', 'bad', '--context', 'one'], { environment });
    expect(refused.code).toBe(4);
    const unknown = await run(['status', '--context', 'one'], { environment });
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('Context "one" not found.')]);
  });

  it('does not override the local platform, and --context cannot be combined with --url', async () => {
    const environment = { XDG_CONFIG_HOME: temporaryFolder() };
    const [kept, here] = [await startFakePlatform(replies), await startFakePlatform(replies)];
    await run(['login', kept.url, '--token', 't'], { environment });
    await run(['token', 'list', '--data', here.data], { environment });
    expect([kept.asked.length, here.asked.length]).toEqual([1, 1]);
    const both = await run(['token', 'list', '--context', 'x', '--url', here.url], { environment });
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--context cannot be combined with --url') });
  });
});
