// Invitations, and access tokens limited to a role.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';

describe('a new user', () => {
  const user = {
    uuid,
    username: 'alice',
    groups: [],
    enabled: true,
    systemUser: false,
    roles: [],
    customAttributes: [],
  };
  const role = { uuid: '0197b1f4-0000-7cc2-9d4e-2f6a7b8c9d0e', name: 'reader', systemRole: false };
  const own = { ...user, permissions: { allowedListings: [] } };
  const replies = {
    'GET /v1/auth/profile': { body: own },
    'GET /v1/roles': { body: [role] },
    'POST /v1/users': { status: 201, body: user },
    [`PATCH /v1/users/${uuid}/roles`]: { body: { ...user, roles: [role] } },
  };

  it('gets the specified roles', async () => {
    const { code, asked, err } = await ask(replies, ['users', 'create', 'alice', '--role', 'reader']);
    expect([code, asked.slice(-2).map(({ body }) => body)]).toEqual([
      0,
      [{ username: 'alice', enabled: true }, [role.uuid]],
    ]);
    expect(err).toContain('created; roles: reader. `signetry users invite alice`');
  });

  it('is not created if a role does not exist', async () => {
    const { code, asked, err } = await ask(replies, ['users', 'create', 'alice', '--role', 'nobody']);
    expect([code, asked.some(({ method }) => method === 'POST')]).toEqual([1, false]);
    expect(err).toContain('Role "nobody" not found.');
  });
});

describe('an invitation', () => {
  const users = [
    { uuid, username: 'alice', groups: [], enabled: true, systemUser: false },
    { uuid, username: 'acme', groups: [], enabled: true, systemUser: true },
  ];

  it('is printed as a link, with no other output on stdout', async () => {
    const issued = {
      uuid,
      createdAt: '2026-11-20T12:00:00Z',
      expiresAt: '2026-11-23T12:00:00Z',
      url: 'https://ca.example/invitation/x',
    };
    const replies = {
      'GET /v1/users': { body: users },
      [`POST /x/v1/users/${uuid}/invitations`]: { status: 201, body: issued },
    };
    const { code, out, err } = await ask(replies, ['users', 'invite', 'alice']);
    expect([code, out]).toEqual([0, issued.url]);
    expect(err).toBe('Send this link to alice. It works once, until 2026-11-23T12:00:00Z (in 3 days).');
  });

  it.each(['bob', 'acme'])(
    'results in an error that lists the users if it is for %s, which is not a user account',
    async (name) => {
      const { code, err } = await ask({ 'GET /v1/users': { body: users } }, ['users', 'invite', name]);
      expect(code).not.toBe(0);
      expect(err).toBe(`signetry: User "${name}" not found.\n  Users: alice.`);
    },
  );
});

describe('an access token for a role', () => {
  const role = { uuid, name: 'issuer', systemRole: false };
  const token = { uuid, name: 'ci', createdAt: '2026-11-20T11:00:00Z', token: 's', scope: { role } };
  const profile = (roles: readonly object[]) => ({
    body: { uuid, username: 'alice', groups: [], enabled: true, systemUser: false, roles, permissions: { allowedListings: [] } }, // prettier-ignore
  });

  it.each([
    ['has it', [role], {}],
    ['does not have it', [], { 'GET /v1/roles': { body: [role] } }],
  ])('specifies the role by UUID if the caller %s', async (_has, own, more) => {
    const replies = { 'GET /v1/auth/profile': profile(own), 'POST /x/v1/accessTokens': { status: 201, body: token } };
    const { out, asked } = await ask({ ...replies, ...more }, ['token', 'create', 'ci', '--role', 'issuer']);
    expect(out).toBe('s');
    expect(asked.at(-1)?.body).toMatchObject({ name: 'ci', scope: { roleUuid: uuid } });
  });
});
