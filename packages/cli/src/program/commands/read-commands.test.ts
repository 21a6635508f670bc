// Commands that ask the platform and print, against a platform that answers as told.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, temporaryFolder, TOKEN, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const profile = {
  uuid: '0197b1f4-0000-7cc2-9d4e-2f6a7b8c9d0e',
  name: 'default',
  enabled: true,
  authorityInstanceUuid: uuid,
};
const certificate = {
  uuid,
  commonName: 'web.example',
  serialNumber: '4f2a',
  subjectDn: 'CN=web.example',
  issuerDn: 'CN=Signetry Root',
  notBefore: '2026-11-20T10:00:00.000Z',
  notAfter: '2027-02-18T12:00:00.000Z',
  publicKeyAlgorithm: 'ECDSA',
  keySize: 256,
  hybridCertificate: false,
  state: 'issued',
  validationStatus: 'valid',
  fingerprint: 'ab'.repeat(32),
  certificateType: 'X.509',
  complianceStatus: 'not_checked',
  privateKeyAvailability: false,
  subjectAlternativeNames: { dNSName: ['web.example', 'www.web.example'] },
  raProfile: profile,
};
const page = (certificates: readonly unknown[], totals = {}) => ({
  body: { certificates, itemsPerPage: 50, pageNumber: 1, totalPages: 1, totalItems: certificates.length, ...totals },
});

async function ask(replies: Replies, args: readonly string[]) {
  const platform = await startFakePlatform(replies);
  const ran = await run([...args, '--data', platform.data]);
  return { ...ran, asked: platform.asked };
}

describe('certificates list', () => {
  const list = { 'POST /v1/certificates': page([certificate, { ...certificate, commonName: '' }]) };

  it('prints a table, and the count beside it', async () => {
    const { code, out, err, asked } = await ask(list, ['certificates', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^Common name +State +Validation +Valid until +Serial number +UUID$/),
      expect.stringMatching(/^web\.example +issued +valid +2027-02-18T12:00:00Z \(in 90 days\) +4f2a +0197b1f4-\S+$/),
      expect.stringMatching(/^CN=web\.example +issued/),
    ]);
    expect(err).toBe('2 certificates.');
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/api/v1/certificates',
        authorization: `Bearer ${TOKEN}`,
        body: { filters: [], pageNumber: 1, itemsPerPage: 50 },
      },
    ]);
  });

  it('turns its flags into filters', async () => {
    const args = ['--filter', 'web', '--filter', 'OWNER=ann', '--filter', 'SUBJECTDN=O=X', '--state', 'issued'];
    const more = ['--state', 'revoked', '--expiring', '30', '--page', '3', '--page-size', '1000'];
    const { asked } = await ask(list, ['certificates', 'list', ...args, ...more]);
    const property = (fieldIdentifier: string, condition: string, value: unknown) => ({
      fieldSource: 'property',
      fieldIdentifier,
      condition,
      value,
    });
    expect(asked[0]?.body).toEqual({
      filters: [
        property('COMMON_NAME', 'CONTAINS', 'web'),
        property('OWNER', 'EQUALS', ['ann']),
        property('SUBJECTDN', 'CONTAINS', 'O=X'),
        property('CERTIFICATE_STATE', 'EQUALS', ['issued', 'revoked']),
        property('NOT_AFTER', 'IN_NEXT', 'P30D'),
      ],
      pageNumber: 3,
      itemsPerPage: 1000,
    });
  });

  it.each([
    [['--filter', 'OWNR=ann'], 'Did you mean OWNER?'],
    [['--state', 'isued'], 'Did you mean issued?'],
    [['--page', '0'], '--page must be a whole number'],
    [['--page-size', '1001'], 'from 1 to 1000'],
    [['--expiring', 'soon'], '--expiring must be a whole number'],
  ])('refuses %j before it asks', async (args, text) => {
    const { code, err, asked } = await ask(list, ['certificates', 'list', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(asked).toEqual([]);
  });

  it('tells the page, and that there is none', async () => {
    const many = { 'POST /v1/certificates': page([certificate], { totalItems: 120, totalPages: 3, pageNumber: 2 }) };
    expect((await ask(many, ['certificates', 'list'])).err).toBe('120 certificates, page 2 of 3.');
    const { out, err } = await ask({ 'POST /v1/certificates': page([]) }, ['certificates', 'list']);
    expect([out, err]).toEqual(['', 'No certificates.']);
  });

  it('prints the answer itself for programs', async () => {
    const { out, err } = await ask(list, ['certificates', 'list', '--json']);
    expect(JSON.parse(out)).toEqual(list['POST /v1/certificates'].body);
    expect(err).toBe('');
  });

  it('colours on a terminal, and not when NO_COLOR is set', async () => {
    const { data } = await startFakePlatform(list);
    const args = ['certificates', 'list', '--data', data];
    expect((await run(args, { isTerminal: true })).out).toContain('\u001B[');
    expect((await run(args, { isTerminal: true, environment: { NO_COLOR: '1' } })).out).not.toContain('\u001B[');
    expect((await run(args, { isTerminal: true, environment: { TERM: 'dumb' } })).out).not.toContain('\u001B[');
  });
});

describe('certificates show', () => {
  const detail = {
    [`GET /v1/certificates/${uuid}`]: { body: certificate },
    'POST /v1/certificates': page([certificate]),
  };

  it('prints what is there', async () => {
    const { code, out } = await ask(detail, ['certificates', 'show', uuid]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Common name +web\.example$/m);
    expect(out).toMatch(/^dNSName +web\.example, www\.web\.example$/m);
    expect(out).toMatch(/^Valid until +2027-02-18T12:00:00Z \(in 90 days\)$/m);
    expect(out).not.toMatch(/^Owner/m);
  });

  it.each([
    ['4F:2A', 'SERIAL_NUMBER', '4f2a'],
    ['004f2a', 'SERIAL_NUMBER', '4f2a'],
    ['0', 'SERIAL_NUMBER', '0'],
    ['AB'.repeat(32), 'FINGERPRINT', 'ab'.repeat(32)],
  ])('finds %s by %s', async (selector, fieldIdentifier, value) => {
    const { code, asked } = await ask(detail, ['certificates', 'show', selector]);
    expect(code).toBe(0);
    expect(asked[0]?.body).toMatchObject({
      filters: [{ fieldIdentifier, condition: 'EQUALS', value }],
      includeArchived: true,
    });
    expect(asked[1]?.path).toBe(`/api/v1/certificates/${uuid}`);
  });

  it('asks which one when several have the serial number', async () => {
    const other = { ...certificate, uuid: 'other', issuerCommonName: 'Other Root' };
    const { code, err } = await ask({ 'POST /v1/certificates': page([certificate, other]) }, [
      'certificates',
      'show',
      '4f2a',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('other  web.example, issued by Other Root');
  });

  it('says that there is none, and what is no certificate at all', async () => {
    const none = await ask({ 'POST /v1/certificates': page([]) }, ['certificates', 'show', '4f2a']);
    expect([none.code, none.err]).toEqual([1, 'signetry: There is no certificate 4f2a, or it is not visible to you.']);
    expect(await ask({}, ['certificates', 'show', 'web.example'])).toMatchObject({ code: 2, asked: [] });
  });

  it('has no PEM of a certificate that is not issued', async () => {
    const requested = { body: { ...certificate, state: 'requested' } };
    const { code, err } = await ask({ [`GET /v1/certificates/${uuid}`]: requested }, [
      'certificates',
      'show',
      uuid,
      '--pem',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('it is requested');
  });
});

describe('certificates not-issued', () => {
  const path = `POST /x/v1/certificates/${uuid}/notIssued`;
  const replies: Replies = {
    [`GET /v1/certificates/${uuid}`]: { body: { ...certificate, state: 'failed' } },
    [path]: { status: 204 },
  };

  it('hands on why, and shows what became of the certificate', async () => {
    const args = ['certificates', 'not-issued', uuid, '--reason', 'not in the list of the CA'];
    const { code, out, asked } = await ask(replies, args);
    expect([code, out]).toEqual([0, expect.stringContaining('failed')]);
    expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
      path: `/api/x/v1/certificates/${uuid}/notIssued`,
      body: { reason: 'not in the list of the CA' },
    });
  });

  it('asks for a reason', async () => {
    const { code, err, asked } = await ask(replies, ['certificates', 'not-issued', uuid]);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain('--reason');
  });
});

describe('certificates revoke', () => {
  const path = `/v2/operations/authorities/${uuid}/raProfiles/${profile.uuid}/certificates/${uuid}/revoke`;
  const replies: Replies = {
    [`GET /v1/certificates/${uuid}`]: { body: { ...certificate, state: 'revoked' } },
    [`POST ${path}`]: { status: 204 },
  };

  it.each([
    [[], 'unspecified'],
    [['--reason', 'keycompromise'], 'keyCompromise'],
    [['--reason', '4'], 'superseded'],
  ])('goes through the profile of the certificate, with %j for the reason %s', async (args, reason) => {
    const { code, out, asked } = await ask(replies, ['certificates', 'revoke', uuid, ...args]);
    expect(code).toBe(0);
    expect(out).toContain(`Revoked (${reason}).`);
    expect(asked[1]).toMatchObject({ path: `/api${path}`, body: { reason, attributes: [] } });
  });

  it.each(['keyCompromised', '7', '8', ''])('refuses the reason %j before it asks', async (reason) => {
    expect(await ask(replies, ['certificates', 'revoke', uuid, '--reason', reason])).toMatchObject({
      code: 2,
      asked: [],
    });
  });

  it('needs a certificate under a profile', async () => {
    const { raProfile: _, ...foreign } = certificate;
    const { code, err } = await ask({ [`GET /v1/certificates/${uuid}`]: { body: foreign } }, [
      'certificates',
      'revoke',
      uuid,
    ]);
    expect(code).toBe(1);
    expect(err).toContain('belongs to no RA profile');
  });
});

describe('tokens', () => {
  const token = { uuid, name: 'ci', createdAt: '2026-11-20T11:00:00Z' };

  it('are made for 90 days, and only the token goes to standard output', async () => {
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
  ])('are made with the life time %s', async (expires, body) => {
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
  it('prints the link and nothing else', async () => {
    const body = { url: 'http://127.0.0.1:8080/login?link=x', expiresAt: '2026-11-20T12:15:00Z' };
    const { code, out, err } = await ask({ 'POST /x/v1/signInLinks': { status: 201, body } }, ['sign-in']);
    expect([code, out, err]).toEqual([0, body.url, '']);
  });
});

describe('audit verify', () => {
  const whole = {
    intact: true,
    verifiedAt: '2026-11-20T12:00:00Z',
    rows: 10,
    sealed: 9,
    unsealedOverdue: 0,
    gaps: [],
    gapCount: 0,
    badRecords: 0,
    brokenLinks: 0,
    purged: 0,
    ends: 0,
    endFaults: [],
  };
  const endOf = (seal: number) =>
    `00000000-0000-7000-8000-00000000000a:${seal}:12:${'ab'.repeat(32)}:${'cd'.repeat(32)}`;

  it('sends ends that were kept elsewhere along, by value or from a file, and tells what is missing', async () => {
    const file = join(temporaryFolder(), 'ends.jsonl');
    writeFileSync(
      file,
      `${JSON.stringify({ kind: 'audit-end', end: endOf(1) })}\n${JSON.stringify({ end: endOf(2) })}\n`,
    );
    const problem = 'the chain ends with seal 1; records missing after it: 4';
    const fault = { node: 'n1', seals: 3, records: 12, problem };
    const body = { ...whole, intact: false, ends: 3, endFaults: [fault] };
    const reply = ({ body: sent }: { body: unknown }) => {
      expect(sent).toEqual({ ends: [endOf(1), endOf(2), endOf(3)] });
      return { body };
    };
    const args = ['audit', 'verify', '--end', file, '--end', endOf(3)];
    const { code, out } = await ask({ 'POST /x/v1/auditLogs/verify': reply }, args);
    expect(code).toBe(1);
    expect(out).toMatch(/^Ends compared +3$/m);
    expect(out).toMatch(new RegExp(`^End kept elsewhere +node n1, 3 seals, 12 records: ${problem}$`, 'm'));
  });

  it.each([['no-such-file'], ['x:1:2:y:z']])('refuses %s as an end', async (end) => {
    const { code, err } = await ask({}, ['audit', 'verify', '--end', end]);
    expect(code).toBe(2);
    expect(err).toContain('neither the end of an audit chain nor a file');
  });

  it('ends with 0 when the log is whole', async () => {
    const { code, out } = await ask({ 'POST /x/v1/auditLogs/verify': { body: whole } }, ['audit', 'verify']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Audit log +intact$/m);
  });

  it('ends with 1 and tells where it is not', async () => {
    const gaps = [
      { from: 3, to: 3 },
      { from: 5, to: 8 },
    ];
    const firstFault = {
      problem: 'the record was altered',
      node: 'n1',
      sequence: 4,
      id: 44,
      sealedAt: '2026-11-20T11:00:00Z',
    };
    const body = { ...whole, intact: false, gaps, gapCount: 7, badRecords: 1, firstFault };
    const { code, out } = await ask({ 'POST /x/v1/auditLogs/verify': { body } }, ['audit', 'verify']);
    expect(code).toBe(1);
    expect(out).toMatch(/^Audit log +not intact$/m);
    expect(out).toMatch(/^Gaps +7: 3, 5 to 8, …$/m);
    expect(out).toMatch(
      /^First fault +the record was altered: record 44 of node n1, sequence 4, sealed 2026-11-20T11:00:00Z \(1 hour ago\)$/m,
    );
    expect((await ask({ 'POST /x/v1/auditLogs/verify': { body } }, ['audit', 'verify', '--json'])).code).toBe(1);
  });
});

describe('status', () => {
  const replies = {
    'GET /v1/health': { body: { status: 'UP' } },
    'GET /v1/info': {
      body: { app: { name: 'Signetry', version: '2.16.1' }, db: { system: 'PostgreSQL', version: '18.4' } },
    },
    'GET /v1/auth/profile': { body: { username: 'admin' } },
  };

  it('tells where the platform runs and who asks', async () => {
    const { code, out } = await ask(replies, ['status']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Platform +running$/m);
    expect(out).toMatch(/^HTTP +http:\/\/127\.0\.0\.1:\d+$/m);
    expect(out).toMatch(/^Since +2026-11-20T10:00:00Z \(2 hours ago\)$/m);
    expect(out).toMatch(/^Database +PostgreSQL 18\.4$/m);
    expect(out).toMatch(/^You are +admin$/m);
  });

  it('never tells the token', async () => {
    const { out } = await ask(replies, ['status', '--json']);
    expect(JSON.parse(out)).toMatchObject({ running: true, health: 'UP', pid: process.pid, user: 'admin' });
    expect(out).not.toContain(TOKEN);
  });

  it('ends with 1 when the platform is not well', async () => {
    const { code, out } = await ask({ ...replies, 'GET /v1/health': { body: { status: 'DOWN' } } }, ['status']);
    expect(code).toBe(1);
    expect(out).toMatch(/^Platform +running, but DOWN$/m);
  });

  it('ends with 3 when nothing runs or nobody answers', async () => {
    const none = await run(['status', '--json']);
    expect([none.code, JSON.parse(none.out)]).toEqual([3, { running: false }]);
    const platform = await startFakePlatform(replies);
    await platform.stop();
    const { code, err } = await run(['status', '--data', platform.data]);
    expect(code).toBe(3);
    expect(err).toContain('ECONNREFUSED');
  });
});

describe('a refusal of the platform', () => {
  it('is told in its words, with the code for not permitted', async () => {
    const body = { statusCode: 403, code: 'ACCESS_DENIED', message: 'You need the permission list on certificates.' };
    const { code, err } = await ask({ 'POST /v1/certificates': { status: 403, body } }, ['certificates', 'list']);
    expect([code, err]).toEqual([4, 'signetry: You need the permission list on certificates.']);
  });

  it('of a token comes with what would help', async () => {
    const body = { code: 'UNAUTHORIZED', message: 'Sign in.' };
    const { code, err } = await ask({ 'POST /x/v1/signInLinks': { status: 401, body } }, ['sign-in']);
    expect(code).toBe(4);
    expect(err).toMatch(/^signetry: Sign in\.\n {2}Check the token/);
  });
});
