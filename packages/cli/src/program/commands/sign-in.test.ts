// Access tokens, sign-in links and errors from the platform.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';

describe('access tokens', () => {
  const token = { uuid, name: 'ci', createdAt: '2026-11-20T11:00:00Z' };

  it('are valid for 90 days by default, and only the token is printed on stdout', async () => {
    const issued = { ...token, expiresAt: '2027-02-18T12:00:00Z', token: 'secret-token' };
    const { out, err, asked } = await ask({ 'POST /x/v1/accessTokens': { status: 201, body: issued } }, [
      'token',
      'create',
      'ci',
    ]);
    expect(out).toBe('secret-token');
    expect(err).toContain('valid until 2027-02-18T12:00:00Z (in 90 days)');
    expect(asked[0]?.body).toEqual({ name: 'ci', expiresAt: '2027-02-18T12:00:00.000Z' });
  });

  it.each([
    ['12h', { name: 'ci', expiresAt: '2026-11-21T00:00:00.000Z' }],
    ['never', { name: 'ci' }],
  ])('can be created with a lifetime of %s', async (expires, body) => {
    const replies = { 'POST /x/v1/accessTokens': { status: 201, body: { ...token, token: 's' } } };
    const { err, asked } = await ask(replies, ['token', 'create', 'ci', '--expires', expires]);
    expect(asked[0]?.body).toEqual(body);
    expect(err).toContain('does not expire');
  });

  it('are listed', async () => {
    const old = { ...token, name: 'old', expiresAt: '2026-01-01T00:00:00Z', lastUsedAt: '2025-12-01T00:00:00Z' };
    const { out } = await ask({ 'GET /x/v1/accessTokens': { body: [token, old] } }, ['token', 'list']);
    expect(out).toMatch(/^ci +2026-11-20T11:00:00Z \(1 hour ago\) +never +never +0197/m);
    expect(out).toMatch(/^old .* 2026-01-01T00:00:00Z \(323 days ago\) +2025-12-01/m);
  });

  it('are revoked', async () => {
    const { code, asked } = await ask({ [`DELETE /x/v1/accessTokens/${uuid}`]: { status: 204 } }, [
      'token',
      'revoke',
      uuid,
    ]);
    expect([code, asked[0]?.method]).toEqual([0, 'DELETE']);
  });
});

describe('sign-in', () => {
  it('prints only the link', async () => {
    const body = { url: 'http://127.0.0.1:8080/login?link=x', expiresAt: '2026-11-20T12:15:00Z' };
    const { code, out, err } = await ask({ 'POST /x/v1/signInLinks': { status: 201, body } }, ['sign-in']);
    expect([code, out, err]).toEqual([0, body.url, '']);
  });
});

describe('an error from the platform', () => {
  it('is printed with its original message, and results in the exit code for missing permissions', async () => {
    const body = { statusCode: 403, code: 'ACCESS_DENIED', message: 'You need the permission list on certificates.' };
    const { code, err } = await ask({ 'POST /x/v1/certificates/search': { status: 403, body } }, [
      'certificates',
      'list',
    ]);
    expect([code, err]).toEqual([4, 'signetry: You need the permission list on certificates.']);
  });

  it('includes a hint if it is about the access token', async () => {
    const body = { code: 'UNAUTHORIZED', message: 'Sign in.' };
    const { code, err } = await ask({ 'POST /x/v1/signInLinks': { status: 401, body } }, ['sign-in']);
    expect(code).toBe(4);
    expect(err).toMatch(/^signetry: Sign in\.\n {2}Check the token/);
  });
});
