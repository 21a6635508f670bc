import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  fromBase64,
  parseCertificate,
  parsePublicKey,
  readPem,
  requestedAltNames,
  formatGeneralName,
  writePem,
} from '@signetry/pki';
import { exportPublicKey, generateKeyPair, importPrivateKey, nodeCrypto } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import {
  uuid,
  other,
  startIssuingPlatform,
  request,
  requestOf,
  PROFILES,
  ISSUE,
  CHAIN,
} from '../testing/certificate-requests.ts';
import { run, temporaryFolder } from '../testing/fake-platform.ts';

describe('certificate request', () => {
  it('writes a new key and the certificate with its chain, and prints a summary', async () => {
    const { code, out, err, cwd, asked } = await request([
      'web.example',
      'www.web.example',
      '192.0.2.10',
      'ops@web.example',
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(readdirSync(cwd).sort()).toEqual(['web.example.key.pem', 'web.example.pem']);
    const keyFile = join(cwd, 'web.example.key.pem');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const blocks = readPem(readFileSync(join(cwd, 'web.example.pem'), 'utf8'));
    expect(blocks.map(({ label }) => label)).toEqual(['CERTIFICATE', 'CERTIFICATE']);
    const [leaf, root] = blocks.map(({ der }) => parseCertificate(der));
    const key = await importPrivateKey(readFileSync(keyFile, 'utf8'));
    expect(leaf?.spki).toEqual(exportPublicKey(key));
    expect(leaf?.subjectAltNames.map((name) => `${name.kind} ${formatGeneralName(name)}`)).toEqual([
      'dNSName web.example',
      'dNSName www.web.example',
      'iPAddress 192.0.2.10',
      'rfc822Name ops@web.example',
    ]);
    expect(root?.isCa).toBe(true);
    expect(out).toMatch(/^Certificate +web\.example$/m);
    expect(out).toMatch(/^Issuer +Test Root$/m);
    expect(out).toMatch(/^Valid until +2027-02-18T12:00:00Z \(in 90 days\)$/m);
    expect(out).toMatch(/^Private key +web\.example\.key\.pem$/m);
    expect(out).toMatch(/^Chain +web\.example\.pem \(2 certificates\)$/m);
    expect(asked.map(({ method, path }) => `${method} ${path.replace('/api', '')}`)).toEqual([PROFILES, ISSUE, CHAIN]);
    expect(asked[1]?.body).toMatchObject({ format: 'pkcs10', attributes: [] });
  });

  it.each(['RSA-2048', 'P-384', 'Ed25519', 'ML-DSA-44'])('generates keys of type %s', async (type) => {
    const { code, asked } = await request(['a.example', '--key-type', type.toLowerCase()]);
    const { family, bits } = requestOf(asked).publicKey;
    expect(code).toBe(0);
    expect(`${family}-${bits}`).toMatch(
      { 'RSA-2048': /^RSA-2048$/, 'P-384': /^ECDSA-384$/ }[type] ?? new RegExp(`^${type.slice(0, 6)}`),
    );
  });

  describe('with custom attributes', () => {
    const CUSTOM = 'GET /v1/attributes/custom/resources/certificates';
    const definition = (name: string, contentType: string, more: object = {}) => ({
      uuid: `0197b1f4-4444-7cc2-9d4e-${name.padEnd(12, '0').slice(0, 12)}`,
      name,
      type: 'custom',
      contentType,
      properties: {
        label: `The ${name}`,
        visible: true,
        required: false,
        readOnly: false,
        list: false,
        multiSelect: false,
      },
      ...more,
    });
    const known = [
      definition('team', 'string', { content: [{ reference: 'Web team', data: 'web' }, { data: 'mail' }] }),
      definition('cost', 'integer'),
      definition('public', 'boolean'),
      definition('until', 'date'),
      definition('extra', 'object'),
    ];
    const ask = (...given: readonly string[]) =>
      request(['a.example', ...given.flatMap((value) => ['--custom', value])], { [CUSTOM]: { body: known } });
    const sent = (asked: readonly { path: string; body: unknown }[]) => {
      const body = asked.find(({ path }) => path.includes('/operations/'))?.body;
      return (body as { customAttributes?: object[] } | undefined)?.customAttributes;
    };

    it('sends values in their content types, including multiple values and choices', async () => {
      const { code, asked } = await ask(
        'team=Web team',
        'team=mail',
        'The cost=4711',
        'public=Yes',
        'until=2027-01-31',
        'extra={"a":"b=c"}',
      );
      expect(code).toBe(0);
      const [team, cost, isPublic, until, extra] = known;
      expect(sent(asked)).toEqual([
        { uuid: team?.uuid, name: 'team', contentType: 'string', content: [{ reference: 'Web team', data: 'web' }, { data: 'mail' }] }, // prettier-ignore
        { uuid: cost?.uuid, name: 'cost', contentType: 'integer', content: [{ data: 4711 }] },
        { uuid: isPublic?.uuid, name: 'public', contentType: 'boolean', content: [{ data: true }] },
        { uuid: until?.uuid, name: 'until', contentType: 'date', content: [{ data: '2027-01-31' }] },
        { uuid: extra?.uuid, name: 'extra', contentType: 'object', content: [{ data: { a: 'b=c' } }] },
      ]);
    });

    it('sends no values and requests no attribute definitions if none are specified', async () => {
      const { asked } = await ask();
      expect(sent(asked)).toBeUndefined();
      expect(asked.some(({ path }) => path.includes('/attributes/'))).toBe(false);
    });

    it('reports all invalid values together, before it creates anything', async () => {
      const { code, err, cwd, asked } = await ask('tem=x', 'cost=many', 'public=perhaps', 'until=tomorrow', 'extra={');
      expect(code).toBe(2);
      expect(err).toContain(
        'Custom attribute "tem" for certificates not found, or not visible to you; available: team, cost',
      );
      expect(err).toContain('The custom attribute "cost" must be a whole number, not "many".');
      expect(err).toContain('The custom attribute "public" must be true or false, not "perhaps".');
      expect(err).toContain('The custom attribute "until" must be a date such as 2026-11-22, not "tomorrow".');
      expect(err).toContain('The custom attribute "extra" must be a JSON object, not "{".');
      expect(readdirSync(cwd)).toEqual([]);
      expect(asked.some(({ method }) => method === 'POST')).toBe(false);
    });

    it.each(['team', '=x'])('rejects %s, which specifies no value', async (given) => {
      const { code, err, asked } = await ask(given);
      expect([code, err]).toEqual([2, expect.stringContaining('--custom must have the form NAME=VALUE')]);
      expect(asked).toEqual([]);
    });
  });

  it('leaves the subject empty if the name is too long for it, and marks the SAN extension as critical', async () => {
    const name = `${'a'.repeat(60)}.example`;
    const { asked, out } = await request([name]);
    expect(out).toMatch(new RegExp(`^Certificate +${name}$`, 'm'));
    const sent = requestOf(asked);
    expect(sent.subject.rdns).toEqual([]);
    expect(sent.extensions[0]?.critical).toBe(true);
    expect(requestedAltNames(sent)).toEqual([{ kind: 'dNSName', value: name }]);
  });

  it('writes to the specified folder, and prints the paths as JSON', async () => {
    const folder = temporaryFolder();
    const { out } = await request(['*.web.example', '--out', folder, '--json']);
    const answer = JSON.parse(out);
    expect(answer).toMatchObject({
      uuid,
      files: {
        key: join(folder, '_wildcard.web.example.key.pem'),
        certificate: join(folder, '_wildcard.web.example.pem'),
      },
    });
    expect(parseCertificate(fromBase64(answer.certificateData)).subjectAltNames).toHaveLength(1);
  });

  it.each([
    ['web', other.uuid],
    [other.uuid, other.uuid],
  ])('issues under the RA profile %s', async (name, profileUuid) => {
    const { asked } = await request(['a.example', '--profile', name]);
    expect(asked[1]?.path).toContain(`/raProfiles/${profileUuid}/`);
  });

  it.each([
    ['nope', 'Specify one with --profile: web, default.'],
    ['off', 'is disabled'],
  ])('rejects the RA profile %s without leaving a key file', async (name, text) => {
    const { code, err, cwd } = await request(['a.example', '--profile', name]);
    expect(code).toBe(1);
    expect(err).toContain(text);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each(['a.example.key.pem', 'a.example.pem'])('does not overwrite %s, and sends no request', async (file) => {
    const { platform } = await startIssuingPlatform();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, file), 'mine');
    const { code, err } = await run(['certificate', 'request', 'a.example', '--data', platform.data], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('already exists');
    expect([readdirSync(cwd), readFileSync(join(cwd, file), 'utf8'), platform.asked]).toEqual([[file], 'mine', []]);
  });

  it('rejects an invalid name before it sends a request', async () => {
    expect(await request(['Jane Doe'])).toMatchObject({ code: 2, asked: [] });
  });
});

describe('an existing CSR', () => {
  async function writeRequest(
    folder: string,
    form: 'pem' | 'der',
    options: { spoiled?: boolean } = {},
  ): Promise<string> {
    const { privateKey, spki } = await generateKeyPair('P-256');
    const info = buildCertificationRequestInfo({ subject: buildName([{ type: 'CN', value: 'Jane Doe' }]), spki });
    const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
    const data = options.spoiled ? new Uint8Array(1) : info;
    const signature = nodeCrypto.sign(privateKey, { algorithm, data });
    const der = assembleCertificationRequest(info, { algorithm, signature });
    const path = join(folder, `request.${form}`);
    writeFileSync(path, form === 'pem' ? writePem('CERTIFICATE REQUEST', der) : der);
    return path;
  }

  it.each(['pem', 'der'] as const)('is accepted in %s, in which case no key is written', async (form) => {
    const csr = await writeRequest(temporaryFolder(), form);
    const { code, out, cwd, asked } = await request(['Jane Doe', '--csr', csr]);
    expect([code, readdirSync(cwd)]).toEqual([0, ['Jane_Doe.pem']]);
    expect(requestOf(asked).subject.rdns).toHaveLength(1);
    expect(out).not.toContain('Private key');
  });

  it('is verified before it is sent', async () => {
    const csr = await writeRequest(temporaryFolder(), 'pem', { spoiled: true });
    const { code, err, asked } = await request(['jane', '--csr', csr]);
    expect(code).toBe(1);
    expect(err).toContain('does not verify with the public key in the CSR');
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  });

  it('must be a valid file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'x'), 'no request');
    expect((await request(['a', '--csr', join(folder, 'x')])).err).toContain('is not a CSR');
    expect((await request(['a', '--csr', join(folder, 'y')])).err).toContain('Cannot read the --csr file');
  });

  it.each([[['a', 'b', '--csr', 'x']], [['a', '--csr', 'x', '--key-type', 'P-256']]])(
    'cannot be combined with %j',
    async (args) => {
      expect(await request(args)).toMatchObject({ code: 2, asked: [] });
    },
  );
});
