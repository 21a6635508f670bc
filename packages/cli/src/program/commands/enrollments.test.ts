// Enrollment requests over CMP, SCEP and EST, their profiles, and one-time secrets.
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const secretUuid = '0197b1f4-0000-7cc2-9d4e-2f6a7b8c9d0e';
const raProfiles = { 'GET /v1/raProfiles': { body: [{ uuid, name: 'default', enabled: true }] } };
const secrets = `/x/v1/raProfiles/${uuid}/enrollmentSecrets`;
const secret = {
  uuid: secretUuid,
  protocol: 'cmp',
  reference: 'abcdefghjk',
  state: 'usable',
  createdAt: '2026-11-20T11:00:00Z',
  createdBy: 'admin',
  expiresAt: '2026-11-21T12:00:00Z',
};

async function ask(replies: Replies, args: readonly string[]) {
  const platform = await startFakePlatform({ ...raProfiles, ...replies });
  const ran = await run([...args, '--data', platform.data]);
  return { ...ran, asked: platform.asked };
}

it.each([
  ['cmp', 'cmpUrl', '/v1/cmpProfiles'],
  ['scep', 'scepUrl', '/v1/scepProfiles'],
  ['est', 'url', '/x/v1/estProfiles'],
])('%s-profiles list shows the URLs and weaknesses of profiles', async (protocol, field, path) => {
  const url = `https://ca.example/${protocol}/devices`;
  const listed = { uuid, name: 'devices', enabled: false, [field]: url };
  const list = (body: readonly object[]) => ask({ [`GET ${path}`]: { body } }, [`${protocol}-profiles`, 'list']);
  const { code, out } = await list([listed]);
  expect(code).toBe(0);
  for (const text of ['devices', 'disabled, names not bound', 'none', url]) expect(out).toContain(text);
  for (const bindNames of [true, false])
    expect((await list([{ ...listed, bindNames }])).out).not.toContain('names not bound');
  expect((await list([{ ...listed, weakSecret: true, bindNames: true }])).out).toContain('disabled, weak secret');
});

describe('enrollments list', () => {
  const refused = {
    uuid: secretUuid,
    protocol: 'scep',
    profileUuid: uuid,
    profileName: 'routers',
    transactionId: 'one',
    kind: 'PKCSReq',
    requester: 'router-7',
    subject: 'CN=router-7',
    state: 'refused',
    problem: 'The challenge password is missing or incorrect.',
    createdAt: '2026-11-20T11:00:00Z',
    updatedAt: '2026-11-20T11:00:00Z',
  };
  const answer = { enrollments: [refused], itemsPerPage: 50, pageNumber: 1, totalPages: 1, totalItems: 1 };

  it('shows why a request was rejected, and sends the specified filters', async () => {
    const args = ['--protocol', 'scep', '--state', 'refused', '--ra-profile', 'default', '--text', 'router'];
    const { code, out, err, asked } = await ask({ 'GET /x/v1/enrollments': { body: answer } }, [
      'enrollments',
      'list',
      ...args,
    ]);
    expect([code, err]).toEqual([0, '1 request.']);
    for (const text of ['refused', 'CN=router-7', 'scep PKCSReq', refused.problem]) expect(out).toContain(text);
    const path = asked.at(-1)?.path ?? '';
    for (const text of ['protocol=scep', 'state=refused', `raProfileUuid=${uuid}`, 'text=router'])
      expect(path).toContain(text);
  });

  it('rejects an unknown state', async () => {
    const { code, err } = await ask({}, ['enrollments', 'list', '--state', 'lost']);
    expect(code).toBe(2);
    expect(err).toContain('--state');
  });
});

describe('secrets of devices', () => {
  const replies: Replies = {
    [`POST ${secrets}`]: ({ body }) => ({ status: 201, body: { ...secret, ...(body as object), secret: '0123' } }),
    [`GET ${secrets}`]: { body: [secret] },
    [`DELETE ${secrets}/${secretUuid}`]: { status: 204 },
  };

  it('are valid for a day, and are printed as shell variables', async () => {
    const args = ['enrollment-secrets', 'create', '--protocol', 'cmp', '--subject', 'CN=one'];
    const { code, out, err, asked } = await ask(replies, args);
    expect([code, out]).toEqual([0, 'REFERENCE=abcdefghjk\nSECRET=0123']);
    expect(err).toContain('Valid for one CMP request for CN=one under RA profile "default", until ');
    expect(asked.at(-1)?.body).toEqual({ protocol: 'cmp', subject: 'CN=one', expiresAt: '2026-11-21T12:00:00.000Z' });
  });

  it('can be limited to SANs, which the list shows', async () => {
    const names = ['--dns', 'a.example', '--dns', 'b.example', '--ip', '192.0.2.7', '--email', 'a@b.example'];
    const made = { dnsNames: ['a.example', 'b.example'], ipAddresses: ['192.0.2.7'], emails: ['a@b.example'] };
    const { code, err, asked } = await ask(replies, ['enrollment-secrets', 'create', '--protocol', 'est', ...names]);
    expect(code).toBe(0);
    expect(err).toContain('one EST request for a.example, b.example, 192.0.2.7, a@b.example under');
    expect(asked.at(-1)?.body).toEqual({ protocol: 'est', ...made, expiresAt: '2026-11-21T12:00:00.000Z' });
    const listed = { [`GET ${secrets}`]: { body: [{ ...secret, ...made }] } };
    expect((await ask(listed, ['enrollment-secrets', 'list', '--json'])).out).toContain('192.0.2.7');
    expect((await ask(listed, ['enrollment-secrets', 'list'])).out).toContain('a.example');
  });

  it('require a protocol', async () => {
    const { code, err } = await ask(replies, ['enrollment-secrets', 'create']);
    expect(code).toBe(2);
    expect(err).toContain('--protocol is required; allowed values: ');
  });

  it('are listed, and revoked by reference', async () => {
    const { out } = await ask(replies, ['enrollment-secrets', 'list']);
    for (const text of ['abcdefghjk', 'usable', 'any']) expect(out).toContain(text);
    const { code, err } = await ask(replies, ['enrollment-secrets', 'revoke', 'abcdefghjk']);
    expect([code, err]).toEqual([0, 'One-time secret abcdefghjk withdrawn.']);
  });

  it('cannot be revoked if they do not exist or were used', async () => {
    const none = await ask(replies, ['enrollment-secrets', 'revoke', 'nobody']);
    expect(none.code).toBe(1);
    expect(none.err).toContain('has no one-time secret "nobody"');
    const used: Replies = { [`GET ${secrets}`]: { body: [{ ...secret, state: 'used' }] } };
    expect((await ask(used, ['enrollment-secrets', 'revoke', secretUuid])).err).toContain('it was already used');
  });
});
