// Certificate commands, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, run, startFakePlatform, TOKEN, type Replies } from '../testing/fake-platform.ts';

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
/** Public certificates often have no common name. */
const nameless = { ...certificate, commonName: '', alternativeName: 'first.example', subjectDn: 'O=Example' };
const page = (certificates: readonly unknown[], totals = {}) => ({
  body: { certificates, itemsPerPage: 50, pageNumber: 1, totalPages: 1, totalItems: certificates.length, ...totals },
});

describe('certificates list', () => {
  const list = { 'POST /x/v1/certificates/search': page([certificate, nameless]) };

  it('prints a table, with the count on stderr', async () => {
    const { code, out, err, asked } = await ask(list, ['certificates', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^Name +State +Validation +Valid until +Serial number +UUID$/),
      expect.stringMatching(/^web\.example +issued +valid +2027-02-18T12:00:00Z \(in 90 days\) +4f2a +0197b1f4-\S+$/),
      expect.stringMatching(/^first\.example +issued/),
    ]);
    expect(err).toBe('2 certificates.');
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/api/x/v1/certificates/search',
        authorization: `Bearer ${TOKEN}`,
        body: { filters: [], pageNumber: 1, itemsPerPage: 50 },
      },
    ]);
  });

  it('converts its flags to filters', async () => {
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
  ])('rejects %j before it sends a request', async (args, text) => {
    const { code, err, asked } = await ask(list, ['certificates', 'list', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(asked).toEqual([]);
  });

  it('shows the page number, and reports if there are no certificates', async () => {
    const many = {
      'POST /x/v1/certificates/search': page([certificate], { totalItems: 120, totalPages: 3, pageNumber: 2 }),
    };
    expect((await ask(many, ['certificates', 'list'])).err).toBe('120 certificates, page 2 of 3.');
    const more = { 'POST /x/v1/certificates/search': page([certificate], { totalItems: 9000, totalIsExact: false }) };
    expect((await ask(more, ['certificates', 'list'])).err).toBe('At least 9000 certificates.');
    const { out, err } = await ask({ 'POST /x/v1/certificates/search': page([]) }, ['certificates', 'list']);
    expect([out, err]).toEqual(['', 'No certificates.']);
  });

  it('prints the API response as JSON', async () => {
    const { out, err } = await ask(list, ['certificates', 'list', '--json']);
    expect(JSON.parse(out)).toEqual(list['POST /x/v1/certificates/search'].body);
    expect(err).toBe('');
  });

  it('uses color on a terminal, unless NO_COLOR is set or the terminal is dumb', async () => {
    const { data } = await startFakePlatform(list);
    const args = ['certificates', 'list', '--data', data];
    expect((await run(args, { isTerminal: true })).out).toContain('\u001B[');
    expect((await run(args, { isTerminal: true, environment: { NO_COLOR: '1' } })).out).not.toContain('\u001B[');
    expect((await run(args, { isTerminal: true, environment: { TERM: 'dumb' } })).out).not.toContain('\u001B[');
  });
});

describe('certificates show --parsed', () => {
  const parsed = {
    uuid,
    version: 3,
    serialNumber: '4f2a',
    subject: { text: 'CN=web.example', rfc4514: 'CN=web.example' },
    issuer: { text: 'CN=Root, O=A, B', rfc4514: 'CN=Root,O=A\\, B' },
    notBefore: '2026-11-20T10:00:00.000Z',
    notAfter: '2027-02-18T12:00:00.000Z',
    publicKey: {
      algorithm: 'ECDSA',
      oid: '1.2.840.10045.2.1',
      size: 256,
      curve: 'P-256',
      fingerprint: 'cd'.repeat(32),
    },
    signature: { algorithm: 'SHA256withECDSA', oid: '1.2.840.10045.4.3.2', hex: '00' },
    fingerprints: { sha1: 'ef'.repeat(20), sha256: 'ab'.repeat(32) },
    extensions: [
      {
        oid: '2.5.29.37',
        name: 'Extended key usage',
        critical: true,
        values: [{ label: 'Purpose', text: 'Time Stamping\u001b[31m', oid: '1.3.6.1.5.5.7.3.8' }],
      },
      {
        oid: '2.5.29.31',
        name: 'CRL distribution points',
        critical: false,
        values: [{ label: 'Distribution point', members: [{ label: 'URI', text: 'http://a.example/', form: 'uri' }] }],
      },
      {
        oid: '2.5.29.30',
        name: 'Name constraints',
        critical: false,
        values: [],
        hex: '307f',
        problem: { message: 'The length exceeds the enclosing element (octet 0)', offset: 0 },
      },
      { oid: '1.2.3', critical: false, values: [], hex: '' },
    ],
  };
  const replies = {
    [`GET /v1/certificates/${uuid}`]: { body: certificate },
    [`GET /x/v1/certificates/${uuid}/parsed`]: { body: parsed },
  };

  it('prints every extension, indented by nesting level, without control characters', async () => {
    const { code, out } = await ask(replies, ['certificates', 'show', uuid, '--parsed']);
    expect(code).toBe(0);
    const [facts = '', ...extensions] = out.split('\n\n');
    expect(facts).toMatch(/^Issuer +CN=Root,O=A\\, B$/m);
    expect(facts).toMatch(/^Public key +ECDSA P-256 256$/m);
    expect(extensions).toEqual([
      'Extended key usage (2.5.29.37, critical)\n  Purpose: Time Stamping\ufffd[31m (1.3.6.1.5.5.7.3.8)',
      'CRL distribution points (2.5.29.31)\n  Distribution point\n    URI: http://a.example/',
      'Name constraints (2.5.29.30)\n  Cannot parse: The length exceeds the enclosing element (octet 0)\n  307f',
      'Extension (1.2.3)\n  empty',
    ]);
  });

  it('prints the API response as JSON, and cannot be combined with --pem', async () => {
    const { out } = await ask(replies, ['certificates', 'show', uuid, '--parsed', '--json']);
    expect(JSON.parse(out)).toEqual(parsed);
    expect((await ask(replies, ['certificates', 'show', uuid, '--parsed', '--pem'])).code).toBe(2);
  });
});

describe('certificates show', () => {
  const detail = {
    [`GET /v1/certificates/${uuid}`]: { body: certificate },
    'POST /x/v1/certificates/search': page([certificate]),
  };

  it('prints only properties that have a value', async () => {
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

  it('lists the candidates for an ambiguous serial number', async () => {
    const other = { ...certificate, uuid: 'other', issuerCommonName: 'Other Root' };
    const { code, err } = await ask({ 'POST /x/v1/certificates/search': page([certificate, other]) }, [
      'certificates',
      'show',
      '4f2a',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('other  web.example, issued, expires 2027-02-18T12:00:00.000Z, issued by Other Root');
  });

  it('finds a certificate by its common name, or by its first SAN if it has no common name', async () => {
    const byName = await ask(detail, ['certificates', 'show', 'web.example']);
    expect(byName.code).toBe(0);
    expect(byName.asked[0]?.body).toMatchObject({
      filters: [{ fieldIdentifier: 'COMMON_NAME', condition: 'EQUALS', value: 'web.example' }],
    });
    const nameless = { ...certificate, commonName: '', alternativeName: 'web.example' };
    const bySan: Replies = {
      [`GET /v1/certificates/${uuid}`]: { body: nameless },
      'POST /x/v1/certificates/search': ({ body }) =>
        JSON.stringify(body).includes('SUBJECT_ALTERNATIVE_NAMES') ? page([nameless]) : page([]),
    };
    expect((await ask(bySan, ['certificates', 'show', 'WEB.example'])).code).toBe(0);
    // This is the second SAN.
    expect((await ask(bySan, ['certificates', 'show', 'www.web.example'])).code).toBe(1);
  });

  it('lists the candidates for an ambiguous name', async () => {
    const older = { ...certificate, uuid: 'older', state: 'revoked' };
    const { code, out, err } = await ask({ 'POST /x/v1/certificates/search': page([certificate, older]) }, [
      'certificates',
      'show',
      'web.example',
    ]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${uuid}  web.example, issued`);
    expect(err).toContain('older  web.example, revoked');
  });

  it('reports an unknown certificate', async () => {
    const none = await ask({ 'POST /x/v1/certificates/search': page([]) }, ['certificates', 'show', '4f2a']);
    expect(none.code).toBe(1);
    expect(none.err).toContain('Certificate "4f2a" not found, or not visible to you.');
    expect(none.err).toContain('common name');
  });

  it('reports that a certificate has no PEM if it has not been issued', async () => {
    const requested = { body: { ...certificate, state: 'requested' } };
    const { code, err } = await ask({ [`GET /v1/certificates/${uuid}`]: requested }, [
      'certificates',
      'show',
      uuid,
      '--pem',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('it has no content (state requested)');
  });
});

describe('certificates not-issued', () => {
  const path = `POST /x/v1/certificates/${uuid}/notIssued`;
  const replies: Replies = {
    [`GET /v1/certificates/${uuid}`]: { body: { ...certificate, state: 'failed' } },
    [path]: { status: 204 },
  };

  it('sends the reason and shows the updated certificate', async () => {
    const args = ['certificates', 'not-issued', uuid, '--reason', 'not in the CA database'];
    const { code, out, asked } = await ask(replies, args);
    expect([code, out]).toEqual([0, expect.stringContaining('failed')]);
    expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
      path: `/api/x/v1/certificates/${uuid}/notIssued`,
      body: { reason: 'not in the CA database' },
    });
  });

  it('requires a reason', async () => {
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
    [['--reason', 'certificateHold'], 'certificateHold'],
  ])("uses the certificate's RA profile, and sends the reason %j as %s", async (args, reason) => {
    const { code, out, asked } = await ask(replies, ['certificates', 'revoke', uuid, ...args]);
    expect(code).toBe(0);
    expect(out).toContain(`Revoked (${reason}).`);
    expect(asked[1]).toMatchObject({ path: `/api${path}`, body: { reason, attributes: [] } });
  });

  it.each(['keyCompromised', '7', '8', ''])('rejects the reason %j before it sends a request', async (reason) => {
    expect(await ask(replies, ['certificates', 'revoke', uuid, '--reason', reason])).toMatchObject({
      code: 2,
      asked: [],
    });
  });

  it('requires a certificate with an RA profile', async () => {
    const { raProfile: _, ...foreign } = certificate;
    const { code, err } = await ask({ [`GET /v1/certificates/${uuid}`]: { body: foreign } }, [
      'certificates',
      'revoke',
      uuid,
    ]);
    expect(code).toBe(1);
    expect(err).toContain('has no RA profile');
  });
});

describe('certificates release', () => {
  it('releases the hold and shows the certificate', async () => {
    const replies: Replies = {
      [`GET /v1/certificates/${uuid}`]: { body: { ...certificate, state: 'issued' } },
      [`POST /x/v1/certificates/${uuid}/release`]: { status: 204 },
    };
    const { code, out, asked } = await ask(replies, ['certificates', 'release', uuid]);
    expect(code).toBe(0);
    expect(out).toContain('Released.');
    expect(asked.map(({ path }) => path)).toContain(`/api/x/v1/certificates/${uuid}/release`);
  });
});
