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
  readCertificationRequest,
  readPem,
  requestedAltNames,
  formatGeneralName,
  toBase64,
  writePem,
} from '@signetry/pki';
import { exportPublicKey, generateKeyPair, importPrivateKey, nodeCrypto } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { Interruption } from '../failures.ts';
import { createFakeAuthority } from '../testing/fake-authority.ts';
import { run, startFakePlatform, temporaryFolder, type Replies, type Reply } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const authorityInstanceUuid = '0197b1f4-1111-7cc2-9d4e-2f6a7b8c9d0e';
const profile = { uuid: '0197b1f4-2222-7cc2-9d4e-2f6a7b8c9d0e', name: 'default', enabled: true, authorityInstanceUuid };
const other = { ...profile, uuid: '0197b1f4-3333-7cc2-9d4e-2f6a7b8c9d0e', name: 'web' };
const off = { ...profile, name: 'off', enabled: false };

const PROFILES = 'GET /v1/raProfiles';
const ISSUE = `POST /v2/operations/authorities/${authorityInstanceUuid}/raProfiles/${profile.uuid}/certificates`;
const DETAIL = `GET /v1/certificates/${uuid}`;
const CHAIN = `GET /v1/certificates/${uuid}/chain`;
const HISTORY = `GET /v1/certificates/${uuid}/history`;

/** A platform that issues at once, with replies of the test over that. */
async function platformThatIssues(replies: Replies = {}) {
  const authority = await createFakeAuthority();
  const issue = async (body: unknown): Promise<Reply> => ({
    body: { uuid, certificateData: await authority.issue((body as { request: string }).request) },
  });
  const root = { uuid: 'root', commonName: 'Test Root', certificateContent: toBase64(authority.root) };
  const platform = await startFakePlatform({
    [PROFILES]: { body: [off, other, profile] },
    [ISSUE]: ({ body }) => issue(body),
    [CHAIN]: { body: { completeChain: true, certificates: [root] } },
    ...replies,
  });
  return { platform, authority };
}

async function request(args: readonly string[], replies: Replies = {}) {
  const { platform } = await platformThatIssues(replies);
  const cwd = temporaryFolder();
  const ran = await run(['certificate', 'request', ...args, '--data', platform.data], { cwd });
  return { ...ran, cwd, asked: platform.asked };
}

const requestOf = (asked: readonly { path: string; body: unknown }[]) => {
  const sent = asked.find(({ path }) => path.endsWith('/certificates'))?.body as { request: string };
  return readCertificationRequest(fromBase64(sent.request));
};

describe('certificate request', () => {
  it('writes a key of its own and the certificate with its chain, and tells about them', async () => {
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
    expect(out).toMatch(/^Issued by +Test Root$/m);
    expect(out).toMatch(/^Valid until +2027-02-18T12:00:00Z \(in 90 days\)$/m);
    expect(out).toMatch(/^Private key +web\.example\.key\.pem$/m);
    expect(out).toMatch(/^Chain +web\.example\.pem \(2 certificates\)$/m);
    expect(asked.map(({ method, path }) => `${method} ${path.replace('/api', '')}`)).toEqual([PROFILES, ISSUE, CHAIN]);
    expect(asked[1]?.body).toMatchObject({ format: 'pkcs10', attributes: [] });
  });

  it.each(['RSA-2048', 'P-384', 'Ed25519', 'ML-DSA-44'])('makes keys of the type %s', async (type) => {
    const { code, asked } = await request(['a.example', '--key-type', type.toLowerCase()]);
    const { family, bits } = requestOf(asked).publicKey;
    expect(code).toBe(0);
    expect(`${family}-${bits}`).toMatch(
      { 'RSA-2048': /^RSA-2048$/, 'P-384': /^ECDSA-384$/ }[type] ?? new RegExp(`^${type.slice(0, 6)}`),
    );
  });

  it('leaves the subject empty when the name is too long for it, and makes the names critical', async () => {
    const name = `${'a'.repeat(60)}.example`;
    const { asked, out } = await request([name]);
    expect(out).toMatch(new RegExp(`^Certificate +${name}$`, 'm'));
    const sent = requestOf(asked);
    expect(sent.subject.rdns).toEqual([]);
    expect(sent.extensions[0]?.critical).toBe(true);
    expect(requestedAltNames(sent)).toEqual([{ kind: 'dNSName', value: name }]);
  });

  it('writes where it is told, and answers programs with the paths', async () => {
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
  ])('issues under the profile %s', async (name, profileUuid) => {
    const { asked } = await request(['a.example', '--profile', name]);
    expect(asked[1]?.path).toContain(`/raProfiles/${profileUuid}/`);
  });

  it.each([
    ['nope', 'Choose with --profile: web, default.'],
    ['off', 'is disabled'],
  ])('refuses the profile %s without leaving a key', async (name, text) => {
    const { code, err, cwd } = await request(['a.example', '--profile', name]);
    expect(code).toBe(1);
    expect(err).toContain(text);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each(['a.example.key.pem', 'a.example.pem'])('does not overwrite %s, and asks nothing', async (file) => {
    const { platform } = await platformThatIssues();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, file), 'mine');
    const { code, err } = await run(['certificate', 'request', 'a.example', '--data', platform.data], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('already exists');
    expect([readdirSync(cwd), readFileSync(join(cwd, file), 'utf8'), platform.asked]).toEqual([[file], 'mine', []]);
  });

  it('refuses anything that is not a name, before anything else', async () => {
    expect(await request(['Jane Doe'])).toMatchObject({ code: 2, asked: [] });
  });
});

describe('a certificate that takes time', () => {
  const pending = { body: { uuid, certificateData: '' } };

  it('is waited for', async () => {
    const states = ['requested', 'pending_issue', 'issued'];
    const authority = await createFakeAuthority();
    let content = '';
    const { code, cwd, asked } = await request(['a.example'], {
      async [ISSUE]({ body }) {
        content = await authority.issue((body as { request: string }).request);
        return pending;
      },
      [DETAIL]() {
        const state = states.shift();
        return { body: { uuid, state, ...(state === 'issued' ? { certificateContent: content } : {}) } };
      },
    });
    expect(code).toBe(0);
    expect(readdirSync(cwd)).toHaveLength(2);
    expect(asked.filter(({ path }) => path.endsWith(uuid))).toHaveLength(3);
  });

  it.each(['failed', 'rejected'])('and is %s in the end leaves no key, and says why', async (state) => {
    const history = [
      { created: '2026-11-20T12:00:01Z', status: 'FAILED', event: 'Issue Certificate', message: 'Name is not allowed' },
      { created: '2026-11-20T12:00:02Z', status: 'SUCCESS', event: 'Update State', message: 'something else' },
      { created: '2026-11-20T12:00:00Z', status: 'FAILED', event: 'Issue Certificate', message: 'first attempt' },
    ];
    const { code, err, cwd } = await request(['a.example'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state } },
      [HISTORY]: { body: history },
    });
    expect(code).toBe(1);
    expect(err).toContain(`the certificate ${uuid} is ${state}: Name is not allowed.`);
    expect(err).toContain('the new key was removed again');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('keeps the key of a certificate that was signed and then refused', async () => {
    const { cwd } = await request(['a.example'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state: 'failed', certificateContent: 'AAAA' } },
      [HISTORY]: { body: [] },
    });
    expect(readdirSync(cwd)).toEqual(['a.example.key.pem']);
  });

  it('is given up after the time that was set, with the key kept', async () => {
    const { code, err, cwd, asked } = await request(['a.example', '--wait', '5'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state: 'pending_issue' } },
    });
    expect(code).toBe(1);
    expect(err).toContain('not issued within 5 s');
    expect(err).toContain('a.example.key.pem');
    expect(err).toContain(`signetry certificates show ${uuid}`);
    expect(readdirSync(cwd)).toEqual(['a.example.key.pem']);
    expect(asked.length).toBeLessThan(15);
  });

  it('is not waited for when somebody has to approve it', async () => {
    const { err, cwd, asked } = await request(['a.example'], {
      [ISSUE]: pending,
      [DETAIL]: { body: { uuid, state: 'pending_approval' } },
    });
    expect(err).toContain('waits for approval');
    expect(readdirSync(cwd)).toEqual(['a.example.key.pem']);
    expect(asked.filter(({ path }) => path.endsWith(uuid))).toHaveLength(1);
  });
});

describe('a request that fails', () => {
  const refusal = (status: number, facts = {}) => ({
    status,
    body: { code: 'X', message: 'The platform says no.', ...facts },
  });

  it.each([
    [422, 1],
    [403, 4],
  ])('with %i leaves no key', async (status, exitCode) => {
    const { code, err, cwd } = await request(['a.example'], { [ISSUE]: refusal(status) });
    expect([code, readdirSync(cwd)]).toEqual([exitCode, []]);
    expect(err).toContain('The platform says no.');
  });

  it('without a clear outcome keeps the key', async () => {
    const { code, err, cwd } = await request(['a.example'], { [ISSUE]: refusal(503) });
    expect([code, readdirSync(cwd)]).toEqual([1, ['a.example.key.pem']]);
    expect(err).toContain('The private key is kept in');
  });

  it.each([
    ['failed', []],
    ['pending_issue', ['a.example.key.pem']],
  ])('and names a certificate that is %s leaves %j', async (state, files) => {
    const { code, err, cwd } = await request(['a.example'], {
      [ISSUE]: refusal(503, { uuid }),
      [DETAIL]: { body: { uuid, state } },
      [HISTORY]: { body: [] },
    });
    expect([code, readdirSync(cwd)]).toEqual([1, files]);
    expect(err).toContain('The platform says no.');
  });

  it('by interruption while the platform works keeps the key and ends with 130', async () => {
    const controller = new AbortController();
    const { platform } = await platformThatIssues({
      [ISSUE]() {
        controller.abort(new Interruption());
        return { body: { uuid, certificateData: '' } };
      },
    });
    const cwd = temporaryFolder();
    const given = { cwd, signal: controller.signal };
    const { code, err } = await run(['certificate', 'request', 'a.example', '--data', platform.data], given);
    expect([code, readdirSync(cwd)]).toEqual([130, ['a.example.key.pem']]);
    expect(err).toContain('The private key is kept in');
  });

  it('after the certificate was issued says how to get it', async () => {
    const { code, err, cwd } = await request(['a.example'], { [CHAIN]: refusal(500) });
    expect([code, readdirSync(cwd)]).toEqual([1, ['a.example.key.pem']]);
    expect(err).toContain(`signetry certificates show ${uuid} --pem`);
  });

  it('by a certificate for another key writes no certificate', async () => {
    const authority = await createFakeAuthority();
    const { code, err, cwd } = await request(['a.example'], {
      [ISSUE]: { body: { uuid, certificateData: toBase64(authority.root) } },
    });
    expect([code, readdirSync(cwd)]).toEqual([1, ['a.example.key.pem']]);
    expect(err).toContain('for a different key');
  });
});

describe('a request of one’s own', () => {
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

  it.each(['pem', 'der'] as const)('is taken in %s, and no key is written', async (form) => {
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
    expect(err).toContain('does not verify');
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  });

  it('must be one', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'x'), 'no request');
    expect((await request(['a', '--csr', join(folder, 'x')])).err).toContain('is no certification request');
    expect((await request(['a', '--csr', join(folder, 'y')])).err).toContain('cannot be read');
  });

  it.each([[['a', 'b', '--csr', 'x']], [['a', '--csr', 'x', '--key-type', 'P-256']]])('excludes %j', async (args) => {
    expect(await request(args)).toMatchObject({ code: 2, asked: [] });
  });
});

describe('certificates renew', () => {
  const RENEW = `POST /v2/operations/authorities/${authorityInstanceUuid}/raProfiles/${profile.uuid}/certificates/${uuid}/renew`;
  const renewedUuid = '0197b1f4-4444-7cc2-9d4e-2f6a7b8c9d0e';
  const certificate = { uuid, commonName: 'a.example', subjectDn: 'CN=a.example', state: 'issued', raProfile: profile };

  async function renew(renewed: Readonly<Record<string, unknown>>, args: readonly string[] = []) {
    const platform = await startFakePlatform({
      [DETAIL]: { body: certificate },
      [RENEW]: { body: { uuid: renewedUuid, certificateData: '' } },
      [`GET /v1/certificates/${renewedUuid}`]: { body: { ...certificate, uuid: renewedUuid, ...renewed } },
      [`GET /v1/certificates/${renewedUuid}/history`]: {
        body: [{ created: '', status: 'FAILED', message: 'Key is revoked' }],
      },
    });
    return { ...(await run(['certificates', 'renew', uuid, '--data', platform.data, ...args])), asked: platform.asked };
  }

  it('shows the new certificate', async () => {
    const { code, out, asked } = await renew({ certificateContent: toBase64(new Uint8Array([0x30, 0])) });
    expect(code).toBe(0);
    expect(out).toContain(renewedUuid);
    expect(asked[1]).toMatchObject({ method: 'POST', body: {} });
  });

  it('fails with the reason of the platform', async () => {
    const { code, err } = await renew({ state: 'failed' });
    expect(code).toBe(1);
    expect(err).toContain('Key is revoked');
    expect(err).toContain(`signetry certificates show ${renewedUuid}`);
  });
});
