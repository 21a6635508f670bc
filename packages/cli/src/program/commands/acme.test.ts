// Configuration of ACME clients: directory URL and external account keys.
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const keyUuid = '0197b1f4-0000-7cc2-9d4e-2f6a7b8c9d0e';
const directoryUrl = 'https://127.0.0.1:8443/api/v1/protocols/acme/default/directory';
const profile = { uuid, name: 'default', enabled: true, directoryUrl };
const keys = `/x/v1/acmeProfiles/${uuid}/eabKeys`;
const key = {
  uuid: keyUuid,
  keyId: 'abcdefghijklmnopqrstuv',
  state: 'usable',
  reusable: false,
  boundAccounts: 0,
  createdAt: '2026-11-20T11:00:00Z',
  createdBy: 'admin',
};
const macKey = 'c2VjcmV0';
const profiles = { 'GET /v1/acmeProfiles': { body: [profile] } };

async function ask(replies: Replies, args: readonly string[]) {
  const platform = await startFakePlatform({ ...profiles, ...replies });
  const ran = await run([...args, '--data', platform.data]);
  return { ...ran, asked: platform.asked };
}

describe('acme-directory', () => {
  const web = { uuid: keyUuid, name: 'web', enabled: false, directoryUrl: directoryUrl.replace('default', 'web') };
  const bare = { uuid: keyUuid, name: 'bare', enabled: true };
  const several = { 'GET /v1/acmeProfiles': { body: [profile, web, bare] } };

  it('prints only the URL', async () => {
    expect(await ask({}, ['acme-directory'])).toMatchObject({ code: 0, out: directoryUrl, err: '' });
    expect(await ask({}, ['acme-directory', uuid])).toMatchObject({ code: 0, out: directoryUrl, err: '' });
  });

  it('prints the URL of a different profile, and warns that it is disabled', async () => {
    const { code, out, err } = await ask(several, ['acme-directory', 'web']);
    expect([code, out]).toEqual([0, web.directoryUrl]);
    expect(err).toBe('ACME profile "web" is disabled: clients are rejected.');
  });

  it('fails for a profile that does not exist or has no RA profile', async () => {
    expect(await ask(several, ['acme-directory', 'wbe'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('ACME profiles: default, web, bare.'),
    });
    const { code, out, err } = await ask(several, ['acme-directory', 'bare']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('ACME profile "bare" has no RA profile');
  });

  it('prints the profile as JSON', async () => {
    expect(JSON.parse((await ask({}, ['acme-directory', '--json'])).out)).toEqual(profile);
  });
});

describe('acme eab create', () => {
  const replies: Replies = {
    [`POST ${keys}`]: ({ body }) => ({ status: 201, body: { ...key, ...(body as object), macKey } }),
  };

  it('creates a key that is valid for one account and for 30 days, and prints it as shell variables', async () => {
    const { code, out, err, asked } = await ask(replies, ['acme', 'eab', 'create']);
    expect(code).toBe(0);
    expect(out).toBe(`EAB_KID=${key.keyId}\nEAB_HMAC_KEY=${macKey}`);
    expect(err).toBe(
      'Valid for one account of ACME profile "default", until 2026-12-20T12:00:00Z (in 30 days). The MAC key is not shown again.',
    );
    expect(asked[1]).toMatchObject({
      path: `/api${keys}`,
      body: { reusable: false, expiresAt: '2026-12-20T12:00:00.000Z' },
    });
  });

  it('creates a key for an unlimited number of accounts, with no expiry date and with a description', async () => {
    const args = ['--reusable', '--expires', 'never', '--description', 'web team'];
    const { err, asked } = await ask(replies, ['acme', 'eab', 'create', ...args]);
    expect(asked[1]?.body).toEqual({ reusable: true, description: 'web team' });
    expect(err).toContain('Valid for any number of accounts of ACME profile "default", without expiry.');
  });

  it('prints the API response as JSON', async () => {
    const { out, err } = await ask(replies, ['acme', 'eab', 'create', '--json']);
    expect(JSON.parse(out)).toMatchObject({ keyId: key.keyId, macKey });
    expect(err).toBe('');
  });

  it('creates a key that is restricted to certain names, and prints its name rules', async () => {
    const args = [
      '--allow-dns=web.example,Shop.Example',
      '--allow-dns=*.api.example',
      '--deny-dns=secret.web.example',
      '--allow-ip=10.1.0.0/16',
      '--deny-ip=10.1.2.3',
      '--no-wildcards',
    ];
    const { err, asked } = await ask(replies, ['acme', 'eab', 'create', ...args]);
    expect(asked[1]?.body).toMatchObject({
      namePolicy: {
        allowedDnsSuffixes: ['web.example', 'Shop.Example', '*.api.example'],
        deniedDnsSuffixes: ['secret.web.example'],
        allowedIpRanges: ['10.1.0.0/16'],
        deniedIpRanges: ['10.1.2.3'],
        allowWildcards: false,
      },
    });
    expect(err).toContain(
      'Names: only web.example, Shop.Example, *.api.example, 10.1.0.0/16; not secret.web.example, 10.1.2.3; no wildcards.',
    );
    const one = await ask(replies, ['acme', 'eab', 'create', '--deny-ip', '2001:db8::/32']);
    expect(one.asked[1]?.body).toMatchObject({ namePolicy: { deniedIpRanges: ['2001:db8::/32'] } });
  });

  it("passes on the platform's error message for an invalid name", async () => {
    const message = 'namePolicy: "a_b" in allowedDnsSuffixes is not a DNS suffix such as example.com';
    const refusing: Replies = { [`POST ${keys}`]: { status: 422, body: [message] } };
    const { code, out, err } = await ask(refusing, ['acme', 'eab', 'create', '--allow-dns', 'a_b']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
  });

  it('rejects an invalid duration before it sends a request', async () => {
    expect(await ask(replies, ['acme', 'eab', 'create', '--expires', 'soon'])).toMatchObject({ code: 2, asked: [] });
  });
});

describe('acme eab list', () => {
  it('prints a table', async () => {
    const used = { ...key, keyId: 'u', state: 'used', boundAccounts: 1, description: 'web team' };
    const namePolicy = { allowedDnsSuffixes: ['web.example'], allowWildcards: false };
    const many = {
      ...key,
      keyId: 'm',
      state: 'expired',
      reusable: true,
      expiresAt: '2026-11-19T12:00:00Z',
      namePolicy,
    };
    const { code, out } = await ask({ [`GET ${keys}`]: { body: [key, used, many] } }, ['acme', 'eab', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^Key ID +State +Valid for +Accounts +Expires +Names +Description +UUID$/),
      expect.stringMatching(/^abcdefghijklmnopqrstuv +usable +one +0 +never +any +0197b1f4-0000-\S+$/),
      expect.stringMatching(/^u +used +one +1 +never +any +web team +0197b1f4-0000-\S+$/),
      expect.stringMatching(
        /^m +expired +many +0 +2026-11-19T12:00:00Z \(1 day ago\) +only web\.example; no wildcards +0197b1f4-0000-\S+$/,
      ),
    ]);
  });

  it('reports that there are no keys', async () => {
    const { out, err } = await ask({ [`GET ${keys}`]: { body: [] } }, ['acme', 'eab', 'list']);
    expect([out, err]).toEqual(['', 'No external account keys.']);
  });
});

describe('acme eab show', () => {
  const namePolicy = {
    allowedDnsSuffixes: ['web.example', 'shop.example'],
    deniedDnsSuffixes: ['secret.web.example'],
    allowedIpRanges: ['10.1.0.0/16'],
    deniedIpRanges: [],
    allowWildcards: false,
  };
  const own = { ...key, description: 'web team', expiresAt: '2026-12-20T12:00:00Z', namePolicy };
  const replies: Replies = { [`GET ${keys}`]: { body: [{ ...key, keyId: 'other', uuid }, own] } };

  it.each([key.keyId, keyUuid])('prints a key with its name rules (%s)', async (given) => {
    const { code, out } = await ask(replies, ['acme', 'eab', 'show', given]);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['Key ID', key.keyId],
      ['UUID', keyUuid],
      ['Description', 'web team'],
      ['State', 'usable'],
      ['Valid for', 'one account'],
      ['Accounts', '0'],
      ['Allowed DNS suffixes', 'web.example, shop.example'],
      ['Allowed IP ranges', '10.1.0.0/16'],
      ['Denied DNS suffixes', 'secret.web.example'],
      ['Wildcards', 'not allowed'],
      ['Created', '2026-11-20T11:00:00Z (1 hour ago) by admin'],
      ['Last used', 'never'],
      ['Expires', '2026-12-20T12:00:00Z (in 30 days)'],
    ]);
  });

  it('reports that a key has no name rules, and prints it as JSON', async () => {
    const { out } = await ask(replies, ['acme', 'eab', 'show', 'other']);
    expect(out).toMatch(/^Names +all names that the ACME profile allows$/m);
    expect(JSON.parse((await ask(replies, ['acme', 'eab', 'show', key.keyId, '--json'])).out)).toEqual(own);
  });

  it('reports an unknown key', async () => {
    const { code, err } = await ask(replies, ['acme', 'eab', 'show', 'nobody']);
    expect(code).toBe(1);
    expect(err).toContain('has no external account key "nobody"');
  });
});

describe('acme eab revoke', () => {
  const replies: Replies = { [`GET ${keys}`]: { body: [key] }, [`DELETE ${keys}/${keyUuid}`]: { status: 204 } };

  it.each([key.keyId, keyUuid, keyUuid.toUpperCase()])('accepts the key ID or the UUID (%s)', async (given) => {
    const { code, err, asked } = await ask(replies, ['acme', 'eab', 'revoke', given]);
    expect([code, err]).toEqual([0, `External account key ${key.keyId} revoked.`]);
    expect(asked[2]).toMatchObject({ method: 'DELETE', path: `/api${keys}/${keyUuid}` });
  });

  it('reports an unknown key', async () => {
    const { code, err, asked } = await ask(replies, ['acme', 'eab', 'revoke', 'other']);
    expect(code).toBe(1);
    expect(err).toContain('has no external account key "other"');
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});
