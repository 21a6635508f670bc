// Finalizing ACME orders (RFC 8555 §7.4): permitted and forbidden contents of a CSR, idempotence, and orders whose
// authority is slow or rejects the request.
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import {
  basicConstraintsExtension,
  customExtension,
  extKeyUsageExtension,
  formatName,
  keyUsageExtension,
  OID,
  parseCertificate,
  subjectKeyIdentifierExtension,
  tlsFeatureExtension,
} from '@signetry/pki';
import {
  makeSigningRequest,
  type AcmeOrder,
  type AcmeTestClient,
  type SigningRequestOptions,
} from '@signetry/testkit/acme';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import {
  HOSTILE_KIND,
  startHostileAuthority,
  type HostileAuthority,
  type IssueResponse,
} from './testing/hostile-authority.ts';
import { createAuthority } from './testing/profiles.ts';

const acme = sharedAcmeServer(['--issue-wait-ms=300', '--egress-allowed-hosts=127.0.0.1']);
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

const csrOf = async (options: SigningRequestOptions): Promise<Uint8Array> => (await makeSigningRequest(options)).der;
const keyOf = (spec: 'RSA-1024' | 'RSA-2048' | 'P-384' | 'Ed25519') =>
  (spec.startsWith('RSA')
    ? generateKeyPairSync('rsa', { modulusLength: Number(spec.slice(4)) })
    : spec === 'Ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: spec })
  ).privateKey;

describe('a CSR', () => {
  it.each<[string, (name: string) => SigningRequestOptions]>([
    ['no names', () => ({ names: [] })],
    ['an additional name', (name) => ({ names: [name, `www.${name}`] })],
    ['a different name', (name) => ({ names: [`www.${name}`] })],
    ['a wildcard instead of the name', (name) => ({ names: [`*.${name.replace(/^[^.]+\./, '')}`] })],
    ['an additional wildcard', (name) => ({ names: [name, `*.${name}`] })],
    ['an additional IP address', (name) => ({ names: [name, '127.0.0.1'] })],
    ['a different common name', (name) => ({ names: [name], commonName: 'admin.example' })],
    ['a NUL in a name', (name) => ({ names: [name, `${name}\u0000.evil.test`] })],
    ['a NUL in the common name', (name) => ({ names: [name], commonName: `${name}\u0000.evil.test` })],
    ['two common names', (name) => ({ names: [name], subject: `CN=${name},CN=admin.example` })],
    ['an email address', (name) => ({ names: [name], otherNames: [{ kind: 'rfc822Name', value: `a@${name}` }] })],
    ['a URI', (name) => ({ names: [name], otherNames: [{ kind: 'uniformResourceIdentifier', value: `https://${name}` }] })],
    ['a registered ID', (name) => ({ names: [name], otherNames: [{ kind: 'registeredID', oid: '1.2.3' }] })],
    ['an IP address as a DNS name', (name) => ({ names: [name], otherNames: [{ kind: 'dNSName', value: '127.0.0.1' }] })],
    ['the basic constraints of a CA', (name) => ({ names: [name], extensions: [basicConstraintsExtension({ ca: true })] })],
    ['the key usage of a CA', (name) => ({ names: [name], extensions: [keyUsageExtension(['keyCertSign'])] })],
    ['the account key', (name) => ({ names: [name], privateKey: client.key.privateKey })],
    ['an incorrect signature', (name) => ({ names: [name], badSignature: true })],
    ['a signature by a different key', (name) => ({ names: [name], signedBy: keyOf('P-384') })],
    ['a 1024-bit key', (name) => ({ names: [name], privateKey: keyOf('RSA-1024') })],
  ])('is rejected with %s, and the order stays ready', async (_what, options) => {
    const name = acme.host('csr');
    const { order, url } = await acme.readyOrder(client, [name]);
    const problem = expectProblem(await client.finalize(order.finalize, await csrOf(options(name))), 400, 'badCSR');
    expect(problem.detail?.length).toBeGreaterThan(20);
    expect((await client.order(url)).body).toMatchObject({ status: 'ready', finalize: order.finalize });
    expect((await client.finalize(order.finalize, await csrOf({ names: [name] }))).body.status).toBe('valid');
  }); // prettier-ignore

  it.each([
    ['missing', undefined],
    ['a number', 1],
    ['empty', ''],
    ['not DER', 'AAAA', 'it is not a PKCS #10 certification request: '],
    ['padded', 'MIIB==', 'it is standard Base64; "csr" must be DER in base64url without padding'],
    ['PEM', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB', 'it is PEM; "csr" must be DER'],
    ['PEM in base64url', Buffer.from('-----BEGIN CERTIFICATE REQUEST-----').toString('base64url'), 'it contains PEM'],
    ['too large', 'MIIB'.repeat(22_000), 'it is larger than'],
  ])('is rejected if it is %s', async (_what, csr, reason = 'must be DER in base64url') => {
    const { order, url } = await acme.readyOrder(client, [acme.host('form')]);
    const problem = expectProblem(await client.signed(order.finalize, { csr }), 400, 'badCSR');
    expect(problem.detail).toContain(reason);
    const { der } = await makeSigningRequest({ names: [order.identifiers[0]?.value ?? ''] });
    expectProblem(await client.finalize(order.finalize, Buffer.concat([der, Buffer.of(0)])), 400, 'badCSR');
    for (const payload of [undefined, [], 'x'])
      expectProblem(await client.signed(order.finalize, payload), 400, 'malformed');
    expect((await client.order(url)).body.status).toBe('ready');
  });

  it('is reported as a certificate if it is one', async () => {
    const name = acme.host('certificate');
    const { chain } = await acme.issue(client, [name], { names: [name] });
    const { order } = await acme.readyOrder(client, [acme.host('form')]);
    const problem = expectProblem(await client.finalize(order.finalize, new X509Certificate(chain).raw), 400, 'badCSR');
    expect(problem.detail).toBe('Invalid CSR: it is a certificate; send a PKCS #10 certification request.');
  });

  it('for only half of the names is rejected', async () => {
    const names = [acme.host('half'), acme.host('half')];
    const { order } = await acme.readyOrder(client, names);
    const problem = expectProblem(
      await client.finalize(order.finalize, await csrOf({ names: names.slice(1) })),
      400,
      'badCSR',
    );
    expect(problem.detail).toContain(`missing dns:${names[0]}.`);
  });

  it.each<[string, (name: string) => SigningRequestOptions]>([
    ['the name only as common name', (name) => ({ commonName: name })],
    ['the name twice', (name) => ({ names: [name, name], commonName: name })],
    ['a trailing dot in the name', (name) => ({ names: [`${name}.`] })],
    ['the name in uppercase', (name) => ({ names: [name.toUpperCase()], commonName: name.toUpperCase() })],
    ['a challenge password', (name) => ({ names: [name], challengePassword: 'x' })],
    ['an RSA key', (name) => ({ names: [name], privateKey: keyOf('RSA-2048') })],
    ['a P-384 key', (name) => ({ names: [name], privateKey: keyOf('P-384') })],
    ['an Ed25519 key', (name) => ({ names: [name], privateKey: keyOf('Ed25519') })],
    ['the usual extensions', (name) => ({
      names: [name],
      extensions: [
        basicConstraintsExtension({ ca: false }),
        keyUsageExtension(['digitalSignature', 'keyEncipherment']),
        extKeyUsageExtension([OID.serverAuth, OID.clientAuth]),
        subjectKeyIdentifierExtension(Buffer.alloc(20, 1)),
        tlsFeatureExtension(),
      ],
    })],
  ])('is accepted with %s; the certificate has exactly the names in the order', async (_what, options) => {
    const name = acme.host('good');
    const { chain } = await acme.issue(client, [name], { ...options(name), names: options(name).names ?? [] });
    const certificate = new X509Certificate(chain);
    const altNames = certificate.subjectAltName?.toLowerCase().split(', ');
    expect([...new Set(altNames)]).toEqual([`dns:${name}`]);
    expect(certificate.ca).toBe(false);
    expect([undefined, `CN=${name}`, `CN=${name.toUpperCase()}`]).toContain(certificate.subject);
  }); // prettier-ignore

  it('can have one name as the common name and the others as SANs; the certificate has all names in the order', async () => {
    const [first = '', second = ''] = [acme.host('common'), acme.host('other')];
    const { chain } = await acme.issue(client, [first, second], { names: [second], commonName: first });
    const { subject, subjectAltName } = new X509Certificate(chain);
    expect(subject).toBe(`CN=${first}`);
    expect(subjectAltName?.split(', ').toSorted()).toEqual([`DNS:${first}`, `DNS:${second}`].toSorted());
  });

  it('has all of its names in the certificate even if the RA profile and the ACME profile drop the common name', async () => {
    const { raProfileUuid } = await createAuthority(acme.server.client, {
      name: 'Without common names',
      raProfileValues: { data_commonNameAsAltName: false, data_copySubject: false },
    });
    const account = await acme.account(await addAcmeProfile(acme, { raProfileUuid }));
    const [first = '', second = ''] = [acme.host('dropped'), acme.host('other')];
    const { chain } = await acme.issue(account, [first, second], { names: [second], commonName: first });
    const { subjectAltName } = new X509Certificate(chain);
    expect(subjectAltName?.split(', ').toSorted()).toEqual([`DNS:${first}`, `DNS:${second}`].toSorted());
  });

  it.each<[string, (name: string) => SigningRequestOptions]>([
    ['an organization in addition to the name', (name) => ({ subject: `CN=${name},O=Bank,C=DE` })],
    ['only an organization', () => ({ subject: 'O=Bank' })],
    ['the name of a person as common name', () => ({ subject: 'CN=Jane Doe' })],
    ['all attributes that appliances request', () => ({ subject: 'CN=Firewall 7,OU=Edge,O=Bank,L=Bonn,ST=NRW,C=DE' })],
    ['other key purposes', () => ({ extensions: [extKeyUsageExtension([OID.codeSigning, '2.5.29.37.0'])] })],
    ['an unknown extension', () => ({ extensions: [customExtension('1.2.3.4', { critical: true, value: Buffer.of(5, 0) })] })],
  ])('is accepted with %s, which does not appear in the certificate (RFC 8555 §7.4)', async (_what, options) => {
    const name = acme.host('more');
    const { chain } = await acme.issue(client, [name], { names: [name], ...options(name) });
    const certificate = parseCertificate(new X509Certificate(chain).raw);
    expect(['', `CN=${name}`]).toContain(formatName(certificate.subject));
    expect(formatName(certificate.subject) === '').toBe(options(name).subject === undefined);
    expect(certificate.extKeyUsage).toEqual([OID.serverAuth, OID.clientAuth]);
    expect(certificate.extensions.map(({ oid }) => oid)).not.toContain('1.2.3.4');
  }); // prettier-ignore

  it('for an IP address is accepted with a subject (RFC 8738)', async () => {
    const options = { names: ['127.0.0.1'], subject: 'CN=127.0.0.1,O=Acme' };
    const { chain } = await acme.issue(client, ['127.0.0.1'], options);
    expect(new X509Certificate(chain).subject).toBe('CN=127.0.0.1');
  });

  it('results in an empty subject if every name is too long for a common name', async () => {
    const name = acme.host('a'.repeat(56));
    const { chain } = await acme.issue(client, [name], { names: [name], subject: 'O=Bank' });
    expect(new X509Certificate(chain).subject).toBe(undefined);
  });

  it('is accepted with names and IP addresses in any order (RFC 8738 §3)', async () => {
    const names = ['127.0.0.1', acme.host('b'), acme.host('a')];
    const { order } = await acme.readyOrder(client, names);
    const der = await csrOf({ names: names.toReversed(), commonName: '127.0.0.1' });
    const done = await client.finalize(order.finalize, der);
    const { text } = await client.download(done.body.certificate ?? expect.unreachable(done.text));
    const altNames = new X509Certificate(text).subjectAltName?.split(', ').toSorted();
    expect(altNames).toEqual([`DNS:${names[2]}`, `DNS:${names[1]}`, 'IP Address:127.0.0.1'].toSorted());
  });

  it('is rejected if its key was revoked as compromised, without a warning about the authority', async () => {
    const privateKey = keyOf('P-384');
    const { chain } = await acme.issue(client, [acme.host('leaked')], { privateKey });
    await client.revoke(new X509Certificate(chain).raw, { reason: 1 });
    const name = acme.host('leaked');
    const { order, url } = await acme.readyOrder(client, [name]);
    const warn = vi.spyOn(acme.server.running.platform.log, 'warn');
    const problem = expectProblem(
      await client.finalize(order.finalize, await csrOf({ names: [name], privateKey })),
      400,
      'badCSR',
    );
    expect(problem.detail).toContain('compromised');
    expect(warn.mock.calls).toEqual([]);
    expect((await client.order(url)).body.status).toBe('ready');
  });
});

describe('finalization', () => {
  it('is rejected until every identifier has been validated, and after a failed validation (§7.4)', async () => {
    const names = [acme.host('unready'), acme.host('unready')];
    const { location = '', body } = await client.newOrder(names);
    const der = await csrOf({ names });
    expectProblem(await client.finalize(body.finalize, der), 403, 'orderNotReady');
    await acme.prove(client, body.authorizations[0] ?? '');
    expectProblem(await client.finalize(body.finalize, der), 403, 'orderNotReady');
    expect((await client.order(location)).body.status).toBe('pending');
    await client.signed(body.authorizations[1] ?? '', { status: 'deactivated' });
    expectProblem(await client.finalize(body.finalize, der), 403, 'orderNotReady');
  });

  it('issues one certificate for ten concurrent requests, and returns it again if repeated later', async () => {
    const name = acme.host('ten');
    const { order, url } = await acme.readyOrder(client, [name]);
    const der = await csrOf({ names: [name] });
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.finalize(order.finalize, der)));
    for (const { status, text } of replies) expect(status, text).toBe(200);
    const { body } = await client.pollUntil<AcmeOrder>(url, { until: ({ status }) => status !== 'processing' });
    expect(body.status).toBe('valid');
    for (const each of [...replies, await client.finalize(order.finalize, der)])
      expect([undefined, body.certificate]).toContain(each.body.certificate);
    expect(await certificatesFor(name)).toBe(1);
  });

  it('is rejected with a CSR other than the issued one, so that no client considers its CSR fulfilled', async () => {
    const name = acme.host('other');
    const { order, url, certificateUrl } = await acme.issue(client, [name]);
    expectProblem(await client.finalize(order.finalize, await csrOf({ names: [name] })), 403, 'orderNotReady');
    expect((await client.order(url)).body.certificate).toBe(certificateUrl);
    expect(await certificatesFor(name)).toBe(1);
    const { order: racing } = await acme.readyOrder(client, [name]);
    const requests = await Promise.all([1, 2, 3].map(() => csrOf({ names: [name] })));
    const replies = await Promise.all(requests.map((der) => client.finalize(racing.finalize, der)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
  });

  async function certificatesFor(value: string): Promise<number> {
    const condition = {
      fieldSource: 'property',
      fieldIdentifier: 'SUBJECT_ALTERNATIVE_NAMES',
      condition: 'CONTAINS',
      value,
    } as const;
    const { certificates } = acme.server.client;
    return (await certificates.listCertificates({ body: { filters: [condition] } })).certificates.length;
  }
});

describe('CAA records for a previously validated name (RFC 8659 §3)', () => {
  it('are checked again before the next order is issued, and issuance waits for the check', async () => {
    const profile = await addAcmeProfile(acme, { authorizationReuse: 3600, caaIdentities: ['ca.example'] });
    const account = await acme.account(profile);
    const name = acme.host('caa');
    await acme.issue(account, [name]);
    const again = await account.newOrder([name]);
    const der = await csrOf({ names: [name] });
    const caa = (value: string) => (acme.dns.zone[`${name} CAA`] = [{ type: 'CAA', tag: 'issue', value }]);
    for (const value of ['other.example', 'ca.example; validationmethods=dns-01']) {
      caa(value);
      const problem = expectProblem(await account.finalize(again.body.finalize, der), 403, 'caa');
      expect(problem.subproblems).toMatchObject([{ type: problem.type, identifier: { type: 'dns', value: name } }]);
      expect((await account.order(again.location ?? '')).body.status).toBe('ready');
    }
    acme.dns.zone[`${name} CAA`] = 'servfail';
    expectProblem(await account.finalize(again.body.finalize, der), 400, 'dns');
    caa(`ca.example; accounturi=${account.accountUrl}`);
    expect((await account.finalize(again.body.finalize, der)).body.status).toBe('valid');
    caa(';');
    expect((await account.finalize(again.body.finalize, der)).body.status).toBe('valid');
  });
});

describe('an external authority', () => {
  let hostile: HostileAuthority;
  let account: AcmeTestClient;
  beforeAll(async () => {
    hostile = await startHostileAuthority();
    const { connectors } = acme.server.client;
    const { uuid } = await connectors.createConnector({
      body: { name: 'hostile', url: hostile.url, authType: 'none' },
    });
    const { raProfileUuid } = await createAuthority(acme.server.client, {
      name: 'Hostile CA',
      connectorUuid: uuid,
      kind: HOSTILE_KIND,
    });
    account = await acme.account(await addAcmeProfile(acme, { raProfileUuid, retryInterval: 7 }));
  });
  afterAll(() => hostile.close());

  it('can be slow: the order is processing, and its response indicates when to retry (§7.4)', async () => {
    const name = acme.host('slow');
    const { order, url } = await acme.readyOrder(account, [name]);
    let finish: () => void = () => undefined;
    hostile.onIssue(async (asked): Promise<IssueResponse> => {
      await new Promise<void>((resolve) => (finish = resolve));
      return hostile.issueProperly(asked);
    });
    const der = await csrOf({ names: [name], commonName: name });
    for (const reply of [await account.finalize(order.finalize, der), await account.order(url)]) {
      expect([reply.status, reply.body.status, reply.headers['retry-after']], reply.text).toEqual([
        200,
        'processing',
        '7',
      ]);
      expect(reply.body).not.toHaveProperty('certificate');
      expect(reply.location).toBe(url);
    }
    const again = await account.finalize(order.finalize, der);
    expect([again.status, again.body.status]).toEqual([200, 'processing']);
    expectProblem(await account.finalize(order.finalize, await csrOf({ names: [name] })), 403, 'orderNotReady');
    finish();
    const done = await account.pollUntil<AcmeOrder>(url, { until: ({ status }) => status !== 'processing' });
    expect(done.body.status).toBe('valid');
    expect(done.headers['retry-after']).toBeUndefined();
    expect((await account.download(done.body.certificate ?? '')).text).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it('makes the order invalid if its certificate lacks one of the names', async () => {
    const [first, second] = [acme.host('kept'), acme.host('lost')];
    const { order, url } = await acme.readyOrder(account, [first, second]);
    hostile.onIssue((asked) => hostile.issueProperly({ ...asked, dnsNames: [first] }));
    await account.finalize(order.finalize, await csrOf({ names: [first, second], commonName: first }));
    const done = await account.pollUntil<AcmeOrder>(url, { until: ({ status }) => status !== 'processing' });
    expect(done.body).toMatchObject({
      status: 'invalid',
      error: { detail: expect.stringContaining(`it does not contain the requested dNSName ${second}`) as string },
    });
    expect(done.body).not.toHaveProperty('certificate');
  });

  it.each<[string, IssueResponse]>([
    ['rejects the request', { status: 422, text: '["The authority is closed today."]' }],
    ['returns garbage', { text: '{"certificateData":"Z2FyYmFnZQ=="}' }],
  ])('makes the order invalid, with an error, if it %s', async (_what, answer) => {
    const name = acme.host('refused');
    const { order, url } = await acme.readyOrder(account, [name]);
    hostile.onIssue(() => answer);
    await account.finalize(order.finalize, await csrOf({ names: [name], commonName: name }));
    const done = await account.pollUntil<AcmeOrder>(url, { until: ({ status }) => status !== 'processing' });
    expect(done.body.status).toBe('invalid');
    expect(done.body.error).toMatchObject({ type: expect.stringMatching(/^urn:ietf:params:acme:error:/) as string });
    expect(done.body.error?.detail).toMatch(/\.$/);
    expectProblem(await account.finalize(order.finalize, await csrOf({ names: [name] })), 403, 'orderNotReady');
  });
});
