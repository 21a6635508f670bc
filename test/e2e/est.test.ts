// EST (RFC 7030) with curl and openssl, as used by devices and scripts.
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipNote, versionOf } from './testing/foreign-programs.ts';
import { HAS_OPENSSL, OPENSSL_NOTE } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const CURL = versionOf('curl');
const HAS_TOOLS = CURL !== undefined && HAS_OPENSSL;
const TOOLS_NOTE = `${skipNote('curl', CURL)}${OPENSSL_NOTE}`;
const run = promisify(execFile);
const server = sharedTestServer();
let client: Client;
let path: IssuingPath;
let folder: string;
let estProfileUuid: string;

const PASSWORD = 'correct horse battery';
const settings = () => ({
  raProfileUuid: path.raProfileUuid,
  isDefault: true,
  users: [{ username: 'device', password: PASSWORD }],
});

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  folder = await mkdtemp(join(tmpdir(), 'est-'));
  ({ uuid: estProfileUuid } = await client.estProfiles.createEstProfile({
    body: { name: 'devices', ...settings() },
  }));
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid } });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const edit = (changes: object) =>
  client.estProfiles.editEstProfile({ params: { estProfileUuid }, body: { ...settings(), ...changes } });

const openssl = (...args: readonly string[]) => run('openssl', [...args], { cwd: folder });

/** Creates a key and a CSR in DER and Base64, in files with this name. */
async function makeCsr(name: string, subject = `/CN=${name}`): Promise<void> {
  await openssl(
    'req',
    '-new',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    subject,
    '-keyout',
    `${name}.key`,
    '-outform',
    'DER',
    '-out',
    `${name}.der`,
  );
  await openssl('base64', '-in', `${name}.der`, '-out', `${name}.b64`);
}

interface HttpResponse {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

async function curl(operation: string, ...args: readonly string[]): Promise<HttpResponse> {
  const { stdout } = await run(
    'curl',
    ['-sS', '--cacert', server.ready.rootCertificate, '-D', '-', '-o', 'answer', `${server.ready.https}${operation}`, ...args], // prettier-ignore
    { cwd: folder },
  );
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(stdout)?.[1]);
  return {
    status,
    headers: stdout.toLowerCase(),
    body: await readFile(join(folder, 'answer'), 'utf8').catch(() => ''),
  };
}

/** Device libraries often send no User-Agent. */
const NAMELESS = ['-H', 'User-Agent:'];
const AS_DEVICE = ['-u', `device:${PASSWORD}`];
const post = (file: string) => ['-H', 'Content-Type: application/pkcs10', '--data-binary', `@${file}`];
const certificateOf = (name: string) => ['--cert', `${name}.crt`, '--key', `${name}.key`];
const at = (operation: string) => `/.well-known/est/devices/${operation}`;

/** Certificates in a response, as printed by openssl. */
async function printCertificates({ body }: HttpResponse): Promise<string> {
  await writeFile(join(folder, 'p7.der'), Buffer.from(body, 'base64'));
  return (await openssl('pkcs7', '-inform', 'DER', '-in', 'p7.der', '-print_certs')).stdout;
}

async function enrollDevice(name: string): Promise<string> {
  await makeCsr(name);
  const answer = await curl(at('simpleenroll'), ...AS_DEVICE, ...post(`${name}.b64`));
  expect(answer).toMatchObject({ status: 200 });
  const pem = await printCertificates(answer);
  await writeFile(join(folder, `${name}.crt`), pem);
  return pem;
}

const countIssuedTo = async (commonName: string): Promise<number> =>
  (await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } })).certificates.filter(
    (each) => each.commonName === commonName,
  ).length;

describe.skipIf(!HAS_TOOLS)(`an EST server${TOOLS_NOTE}`, () => {
  it('serves the CA certificates with a label, without one, and under the API path', async () => {
    for (const address of [at('cacerts'), '/.well-known/est/cacerts', '/api/v1/protocols/est/devices/cacerts']) {
      const answer = await curl(address);
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers).toContain('content-type: application/pkcs7-mime');
      expect(await printCertificates(answer)).toContain('BEGIN CERTIFICATE');
    }
  });

  it('wraps Base64 into lines, except for clients that do not send a User-Agent', async () => {
    const lines = async (...args: readonly string[]) => (await curl(at('cacerts'), ...args)).body.trim().split('\r\n');
    const broken = await lines();
    expect(broken.length).toBeGreaterThan(5);
    expect(Math.max(...broken.map(({ length }) => length))).toBe(64);
    expect(await lines(...NAMELESS)).toEqual([broken.join('')]);
  });

  it('explains a 401, except to clients that would have to read the body before they repeat the request', async () => {
    await makeCsr('nameless-1');
    const challenge = await curl(at('simpleenroll'), ...NAMELESS, ...post('nameless-1.b64'));
    expect(challenge).toMatchObject({ status: 401, body: expect.stringContaining('username and password') });
    const closing = ['-H', 'Connection: close'];
    const repeating = await curl(at('simpleenroll'), ...NAMELESS, ...closing, ...post('nameless-1.b64'));
    expect(repeating).toMatchObject({ status: 401, body: '' });
    expect(challenge.headers).toContain('www-authenticate: basic');
    const wrong = await curl(at('simpleenroll'), ...NAMELESS, '-u', 'device:wrong', ...post('nameless-1.b64'));
    expect(wrong).toMatchObject({ status: 401, body: expect.stringContaining('is incorrect') });
  });

  it('issues to a user with a password, and returns the same certificate if the request is repeated', async () => {
    const pem = await enrollDevice('switch-1');
    expect(pem).toMatch(/subject=CN ?= ?switch-1/);
    expect(await printCertificates(await curl(at('simpleenroll'), ...AS_DEVICE, ...post('switch-1.der')))).toBe(pem);
    expect(await countIssuedTo('switch-1')).toBe(1);
  });

  it('issues only once per one-time password', async () => {
    const { reference, secret } = await client.enrollmentSecrets.createEnrollmentSecret({
      params: { raProfileUuid: path.raProfileUuid },
      body: { protocol: 'est' },
    });
    const once = ['-u', `${reference}:${secret}`];
    await makeCsr('phone-1');
    await makeCsr('phone-2');
    const answer = await curl(at('simpleenroll'), ...once, ...post('phone-1.b64'));
    expect(await printCertificates(answer)).toMatch(/phone-1/);
    expect(await curl(at('simpleenroll'), ...once, ...post('phone-1.b64'))).toMatchObject({ status: 200 });
    const again = await curl(at('simpleenroll'), ...once, ...post('phone-2.b64'));
    expect(again).toMatchObject({ status: 401 });
    expect(again.body).toContain('was already used or has expired');
    expect(await countIssuedTo('phone-2')).toBe(0);
  });

  it('renews if the client authenticates with the certificate to be renewed, and only for the same names', async () => {
    const pem = await enrollDevice('router-1');
    await openssl(
      'req',
      '-new',
      '-key',
      'router-1.key',
      '-subj',
      '/CN=router-1',
      '-outform',
      'DER',
      '-out',
      'next.der',
    );
    const answer = await curl(at('simplereenroll'), ...certificateOf('router-1'), ...post('next.der'));
    expect(answer).toMatchObject({ status: 200 });
    const renewed = await printCertificates(answer);
    expect(renewed).toMatch(/router-1/);
    expect(renewed).not.toBe(pem);
    await makeCsr('other-1');
    const refused = await curl(at('simplereenroll'), ...certificateOf('router-1'), ...post('other-1.b64'));
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.body).toContain('the certificate CN=router-1 does not cover that name');
    expect(await countIssuedTo('other-1')).toBe(0);
  });

  it('holds requests for approval, and returns Retry-After', async () => {
    await edit({ manualApproval: true, retryAfter: 7 });
    try {
      await makeCsr('door-1');
      const ask = () => curl(at('simpleenroll'), ...AS_DEVICE, ...post('door-1.b64'));
      const answer = await ask();
      expect(answer).toMatchObject({ status: 202 });
      expect(answer.headers).toContain('retry-after: 7');
      const wordless = await curl(at('simpleenroll'), ...NAMELESS, ...AS_DEVICE, ...post('door-1.b64'));
      expect(wordless).toMatchObject({ status: 202, body: '' });
      const [waiting] = (await client.enrollments.listEnrollments({ query: { text: 'door-1' } })).enrollments;
      const certificateUuid = waiting?.certificateUuid ?? expect.fail('no request is waiting');
      await client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } });
      await expect.poll(async () => (await ask()).status).toBe(200);
    } finally {
      await edit({});
    }
  });

  it('returns the required CSR attributes, or none if nothing is required', async () => {
    expect(await curl(at('csrattrs'))).toMatchObject({ status: 204 });
    await edit({ requestedAttributes: { attributes: ['1.2.840.113549.1.9.7'], keyType: 'ecdsaP384' } });
    const answer = await curl(at('csrattrs'));
    await edit({});
    expect(answer.headers).toContain('content-type: application/csrattrs');
    await writeFile(join(folder, 'csrattrs.der'), Buffer.from(answer.body, 'base64'));
    const { stdout } = await openssl('asn1parse', '-inform', 'DER', '-in', 'csrattrs.der');
    expect(stdout).toMatch(/challengePassword[\s\S]*id-ecPublicKey[\s\S]*secp384r1/);
  });

  it('also returns them as a template with values, and indicates whether channel binding is required (RFC 9908 §3.4)', async () => {
    const requestedAttributes = {
      subject: [{ type: 'CN' }, { type: 'OU', value: 'Doors' }],
      dnsNames: ['door.example'],
      extensionValues: [{ oid: '2.5.29.15', critical: true, value: 'AwIDiA==' }],
      extensions: ['2.5.29.37'],
      template: true,
    };
    const { requestedAttributes: kept } = await edit({ requestedAttributes, requireLinking: true });
    const { body } = await curl(at('csrattrs'));
    await edit({});
    expect(kept).toEqual(requestedAttributes);
    await writeFile(join(folder, 'template.der'), Buffer.from(body, 'base64'));
    const { stdout } = await openssl('asn1parse', '-i', '-inform', 'DER', '-in', 'template.der');
    const shape = stdout.split('\n').map((line) => line.replace(/^.*?(?:cons|prim): /, '').trimEnd());
    const [list, template] = [shape.slice(0, shape.length / 2), shape.slice(shape.length / 2)].map((part) =>
      part.join('\n'),
    );
    expect(list).toMatch(/challengePassword[\s\S]*:Extension Request/);
    expect(template).toMatch(/:commonName\n +SET[\s\S]*:organizationalUnitName\n +UTF8STRING +:Doors/);
    expect(template).toMatch(/Key Usage\n +BOOLEAN +:255\n +OCTET STRING +\[HEX DUMP\]:03020388/);
    expect(template).toMatch(/:X509v3 Extended Key Usage\n*$/);
    const refused = edit({ requestedAttributes: { subject: [{ type: 'C', value: 'Österreich' }] } });
    await expect(refused).rejects.toThrow(
      /requestedAttributes: "Österreich" contains characters that PrintableString does not allow/,
    );
  });
});

describe.skipIf(!HAS_TOOLS)(`explains the rejection of${TOOLS_NOTE}`, () => {
  const refusals: readonly [string, number, string, () => Promise<HttpResponse>][] = [
    ['a request without credentials', 401, 'Authenticate with', () => curl(at('simpleenroll'), ...post('bad.b64'))],
    ['a wrong password', 401, 'is incorrect', () => curl(at('simpleenroll'), '-u', 'device:wrong', ...post('bad.b64'))],
    ['an unknown user', 401, 'is incorrect', () => curl(at('simpleenroll'), '-u', 'who:whatever', ...post('bad.b64'))],
    ['a re-enrollment with a password', 403, 'authenticated with the certificate being renewed', () => curl(at('simplereenroll'), ...AS_DEVICE, ...post('bad.b64'))], // prettier-ignore
    ['a different media type', 415, 'application/pkcs10', () => curl(at('simpleenroll'), ...AS_DEVICE, '--data-binary', '@bad.b64')], // prettier-ignore
    ['an altered request', 400, 'proof of possession', () => curl(at('simpleenroll'), ...AS_DEVICE, ...post('altered.der'))], // prettier-ignore
    ['a truncated request', 400, 'request', () => curl(at('simpleenroll'), ...AS_DEVICE, ...post('truncated.der'))],
    ['an oversized body', 413, '65536', () => curl(at('simpleenroll'), ...AS_DEVICE, ...post('large'))],
    ['an unknown profile', 404, 'No EST profile', () => curl('/.well-known/est/nothing/cacerts')],
    ['fullcmc', 501, 'does not support fullcmc', () => curl(at('fullcmc'), ...AS_DEVICE, ...post('bad.b64'))],
    ['a foreign certificate', 403, 'is not accepted', () => curl(at('simplereenroll'), ...certificateOf('foreign'), ...post('bad.b64'))], // prettier-ignore
    ['a revoked certificate', 403, 'it is revoked', () => curl(at('simplereenroll'), ...certificateOf('lost-1'), ...post('lost-1.b64'))], // prettier-ignore
  ];

  beforeAll(async () => {
    await makeCsr('bad');
    const der = await readFile(join(folder, 'bad.der'));
    await writeFile(join(folder, 'truncated.der'), der.subarray(0, 60));
    const altered = Buffer.from(der);
    altered[altered.indexOf('bad')] = 'm'.charCodeAt(0);
    await writeFile(join(folder, 'altered.der'), altered);
    await writeFile(join(folder, 'large'), Buffer.alloc(70_000, 65));
    await openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=bad',
      '-keyout',
      'foreign.key',
      '-out',
      'foreign.crt',
    );
    await enrollDevice('lost-1');
    const all = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    const certificateUuid = all.certificates.find(({ commonName }) => commonName === 'lost-1')?.uuid ?? '';
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid },
      body: { reason: 'superseded', attributes: [] },
    });
  });

  it.each(refusals)('%s', async (_what, status, words, ask) => {
    const answer = await ask();
    expect(answer).toMatchObject({ status });
    expect(answer.body).toContain(words);
    expect(answer.headers.includes('www-authenticate: basic')).toBe(status === 401);
    expect(await countIssuedTo('bad')).toBe(0);
  });

  it('a request without TLS', async () => {
    const response = await fetch(`${server.ready.http}${at('cacerts')}`);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('HTTPS');
  });
});

it('has only one default profile, even if multiple profiles are made the default simultaneously', async () => {
  await edit({ isDefault: false });
  const named = Array.from({ length: 6 }, (_, index) => `default-${index}`);
  const ended = await Promise.allSettled(
    named.map((name) => client.estProfiles.createEstProfile({ body: { name, ...settings() } })),
  );
  const refused = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as { status: number }] : []));
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  const made = (await client.estProfiles.listEstProfiles()).filter(({ name }) => named.includes(name));
  expect(made).toMatchObject([{ isDefault: true }]);
});
