import {
  authorityProviderOperations as operations,
  connectorBaseOperations as base,
  type RequestAttributeDto,
} from '@signetry/contract';
import { readCertificate } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AUTHORITY } from '../index.ts';
import { watchedStorage } from '../testing/faulty-storage.ts';
import { certificatePem, openssl, opensslFile, verifyChain } from '../testing/openssl.ts';
import {
  attribute,
  chainOf,
  createCa,
  dns,
  integer,
  issueDer,
  lines,
  makeCsr,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';

let ours: TestAuthority;
beforeAll(async () => {
  ours = await startTestAuthority();
});
afterEach(() => vi.restoreAllMocks());

const create = (name: string, ...attributes: RequestAttributeDto[]): Promise<string> =>
  createCa(ours.call, name, attributes);
const certificateOf = async (uuid: string) => readCertificate((await chainOf(ours.call, uuid))[0] ?? new Uint8Array());
const below = (parent: string): RequestAttributeDto[] => [
  text(AUTHORITY.source, 'subordinate'),
  text(AUTHORITY.parent, parent),
];
const file = (content: string | Uint8Array): RequestAttributeDto =>
  attribute(AUTHORITY.keyStore, 'file', {
    content: Buffer.from(content).toString('base64'),
    fileName: 'ca.p12',
    mimeType: 'application/octet-stream',
  });
const password = (secret: string): RequestAttributeDto => attribute(AUTHORITY.keyStorePassword, 'secret', { secret });

describe('a root CA', () => {
  it('requires only a name', async () => {
    const certificate = await certificateOf(await create('Signetry Root'));
    expect(certificate.subject.rdns.flat().map(({ value }) => value)).toEqual(['Signetry Root']);
    expect(certificate).toMatchObject({ isCa: true, isSelfIssued: true, keyUsage: ['keyCertSign', 'cRLSign'] });
    expect(certificate.publicKey.curve).toBe('P-256');
    expect(new Date(certificate.notAfterMs).getUTCFullYear() - new Date(certificate.notBeforeMs).getUTCFullYear()).toBe(
      10,
    );
  });

  it('has the requested values, even beyond 2049', async () => {
    const uuid = await create(
      'x',
      text(AUTHORITY.subject, 'CN=Root, O=Example, C=DE'),
      integer(AUTHORITY.validityYears, 50),
      integer(AUTHORITY.pathLength, 3),
    );
    const [der] = await chainOf(ours.call, uuid);
    const shown = openssl(['x509', '-noout', '-text', '-nameopt', 'RFC2253', '-in', 'c.pem'], {
      'c.pem': certificatePem(der ?? new Uint8Array()),
    });
    expect(shown).toContain('Subject: CN=Root,O=Example,C=DE');
    expect(shown).toContain('CA:TRUE, pathlen:3');
    expect((await certificateOf(uuid)).notAfterMs).toBeGreaterThan(Date.parse('2070-01-01'));
  });

  it('shows its values, but no secrets', async () => {
    const uuid = await create('Shown', text(AUTHORITY.keyAlgorithm, 'P-384'));
    const shown = await ours.call(operations.getAuthorityInstance, { params: { uuid } });
    expect(shown.attributes.map(({ name }) => name)).toEqual([AUTHORITY.keyAlgorithm]);
    expect(shown.attributes[0]).toMatchObject({ content: [{ data: 'P-384' }] });
  });

  it('stores its key sealed, bound to its own row', async () => {
    const one = await create('One');
    const two = await create('Two');
    const { rows } = await ours.pool.query<{ uuid: string; sealed_key: Buffer }>(
      'SELECT uuid, sealed_key FROM connector_software_authority.authority WHERE uuid = ANY($1)',
      [[one, two]],
    );
    // Every unsealed P-256 key contains the curve's OID.
    for (const row of rows) expect(row.sealed_key.includes(Buffer.from('2a8648ce3d030107', 'hex'))).toBe(false);
    const sealedOne = rows.find(({ uuid }) => uuid === one)?.sealed_key;
    await ours.pool.query('UPDATE connector_software_authority.authority SET sealed_key = $2 WHERE uuid = $1', [
      two,
      sealedOne,
    ]);
    const revived = await ours.restart();
    await expect(issueDer(revived.call, { authority: two })).rejects.toMatchObject({ status: 500 });
  });

  it.each<[string, RequestAttributeDto[], RegExp]>([
    ['a malformed subject', [text(AUTHORITY.subject, 'nonsense')], /data_subject/],
    ['an unknown algorithm', [text(AUTHORITY.keyAlgorithm, 'RSA-1024')], /does not offer/],
    ['an excessive validity', [integer(AUTHORITY.validityYears, 1000)], /at most 50/],
    ['a parent', [text(AUTHORITY.parent, randomUUID())], /subordinate|does not offer/],
    ['an import without a file', [text(AUTHORITY.source, 'import')], /data_keyStore/],
    ['a subordinate CA without a parent', [text(AUTHORITY.source, 'subordinate')], /data_parentAuthority/],
    ['a country name instead of a country code', [text(AUTHORITY.subject, 'CN=x, C=Germany')], /ountry/],
  ])('is rejected with %s', async (_, attributes, problem) => {
    await expect(create('Refused', ...attributes)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(problem),
    });
    const all = await ours.call(operations.listAuthorityInstances, {});
    expect(all.some(({ name }) => name === 'Refused')).toBe(false);
  });
});

describe('a subordinate CA', () => {
  it('is signed by its parent and issues certificates that verify up to the root', async () => {
    const root = await create('Root A', integer(AUTHORITY.pathLength, 2));
    const middle = await create(
      'Middle',
      ...below(root),
      integer(AUTHORITY.pathLength, 1),
      text(AUTHORITY.keyAlgorithm, 'RSA-2048'),
      lines(AUTHORITY.certificateCrlUrls, 'http://pki.example/root.crl'),
    );
    const issuing = await create('Issuing', ...below(middle), text(AUTHORITY.keyAlgorithm, 'P-384'));
    const chain = await chainOf(ours.call, issuing);
    expect(chain).toHaveLength(3);
    expect(verifyChain(await issueDer(ours.call, { authority: issuing }), chain)).toContain('OK');
    expect((await certificateOf(middle)).crlUrls).toEqual(['http://pki.example/root.crl']);
    expect((await certificateOf(issuing)).basicConstraints).toEqual({ ca: true, pathLength: 0 });
  });

  it("does not outlive its parent, and stays within its parent's path length", async () => {
    const root = await create('Root B', integer(AUTHORITY.validityYears, 2), integer(AUTHORITY.pathLength, 1));
    const child = await create('Child', ...below(root), integer(AUTHORITY.validityYears, 5));
    expect((await certificateOf(child)).notAfterMs).toBe((await certificateOf(root)).notAfterMs);
    await expect(create('Grandchild', ...below(child))).rejects.toMatchObject({ status: 422 });
    await expect(create('Long', ...below(root), integer(AUTHORITY.pathLength, 1))).rejects.toMatchObject({
      status: 422,
    });
    await expect(create('Root B', ...below(root))).rejects.toMatchObject({ status: 422 });
  });

  it('can be assigned any existing CA as its parent', async () => {
    const root = await create('Offered');
    const definitions = await ours.call(base.listAttributeDefinitions, {
      params: { functionalGroup: 'authorityProvider', kind: 'SoftwareCA' },
    });
    const fields = definitions.flatMap((each) => (each.type === 'group' ? (each.content ?? []) : [each]));
    const parents = fields.find(({ name }) => name === AUTHORITY.parent);
    expect(parents).toMatchObject({ content: expect.arrayContaining([{ reference: 'Offered', data: root }]) });
  });
});

describe('an imported CA', () => {
  async function material(options: { readonly isCa?: boolean; readonly days?: number } = {}) {
    const { privateKey } = await generateKeyPair('P-256');
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const extensions =
      options.isCa === false
        ? ['basicConstraints=critical,CA:FALSE']
        : ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
    const certificate = openssl(
      [
        'req',
        '-x509',
        '-key',
        'k.pem',
        '-subj',
        '/O=Old Company/CN=Old Root',
        '-days',
        String(options.days ?? 100),
        '-config',
        'c.cnf',
        ...extensions.flatMap((extension) => ['-addext', extension]),
      ],
      { 'k.pem': key, 'c.cnf': '[req]\ndistinguished_name=dn\n[dn]\n' },
    );
    return { key, certificate };
  }

  it('can be imported from PEM, and issues under its existing name', async () => {
    const { key, certificate } = await material();
    const uuid = await create('Imported', text(AUTHORITY.source, 'import'), file(certificate + key));
    const der = await issueDer(ours.call, { authority: uuid });
    expect(
      openssl(['verify', '-CAfile', 'ca.pem', 'c.pem'], { 'ca.pem': certificate, 'c.pem': certificatePem(der) }),
    ).toContain('OK');
  });

  it('can be imported from PKCS #12 with its chain; neither the file nor the password is stored', async () => {
    const root = await create('Root C');
    const { privateKey } = await generateKeyPair('RSA-2048');
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const [rootDer] = await chainOf(ours.call, root);
    const rootPem = certificatePem(rootDer ?? new Uint8Array());
    const { certificate } = await material();
    const own = openssl(
      [
        'req',
        '-x509',
        '-key',
        'k.pem',
        '-subj',
        '/CN=Other Root',
        '-days',
        '100',
        '-addext',
        'keyUsage=critical,keyCertSign,cRLSign',
      ],
      { 'k.pem': key },
    );
    const bytes = opensslFile(
      [
        'pkcs12',
        '-export',
        '-inkey',
        'k.pem',
        '-in',
        'own.pem',
        '-certfile',
        'more.pem',
        '-passout',
        'pass:hunter2-canary',
      ],
      { 'k.pem': key, 'own.pem': own, 'more.pem': rootPem + certificate },
    );
    await expect(
      create('Wrong', text(AUTHORITY.source, 'import'), file(bytes), password('wrong')),
    ).rejects.toMatchObject({ status: 422 });
    const uuid = await create('PKCS#12', text(AUTHORITY.source, 'import'), file(bytes), password('hunter2-canary'));
    expect(await chainOf(ours.call, uuid)).toHaveLength(1);
    expect(verifyChain(await issueDer(ours.call, { authority: uuid }), await chainOf(ours.call, uuid))).toContain('OK');
    const { rows } = await ours.pool.query(
      'SELECT attributes::text FROM connector_software_authority.authority WHERE uuid = $1',
      [uuid],
    );
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(bytes).toString('base64').slice(0, 40));
  });

  it('does not certify names outside its name constraints', async () => {
    const { privateKey } = await generateKeyPair('P-256');
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const extensions = ['keyUsage=critical,keyCertSign,cRLSign', 'nameConstraints=critical,permitted;DNS:example.com'];
    const certificate = openssl(
      [
        'req',
        '-x509',
        '-key',
        'k.pem',
        '-subj',
        '/CN=Narrow',
        ...extensions.flatMap((extension) => ['-addext', extension]),
      ],
      { 'k.pem': key },
    );
    const authority = await create('Narrow', text(AUTHORITY.source, 'import'), file(certificate + key));
    await issueDer(ours.call, { authority });
    const request = await makeCsr({ subject: [], altNames: dns('www.other.test') });
    await expect(issueDer(ours.call, { authority, request })).rejects.toMatchObject({ status: 422 });
  });

  it('is rejected if it is not a CA, has expired or does not match its key', async () => {
    const leaf = await material({ isCa: false });
    const import_ = (content: string) => create('Refused', text(AUTHORITY.source, 'import'), file(content));
    await expect(import_(leaf.certificate + leaf.key)).rejects.toMatchObject({ status: 422 });
    await expect(import_((await material()).certificate + leaf.key)).rejects.toMatchObject({ status: 422 });
    await expect(import_('nothing')).rejects.toMatchObject({ status: 422 });
    const short = await material({ days: 1 });
    ours.setTime(new Date(Date.now() + 3 * 86_400_000));
    await expect(import_(short.certificate + short.key)).rejects.toMatchObject({ status: 422 });
    ours.setTime(undefined);
  });
});

describe('creation', () => {
  const call = (key: string, name: string, connector = ours) =>
    connector.call(operations.createAuthorityInstance, {
      body: { name, kind: 'SoftwareCA', attributes: [] },
      idempotencyKey: key,
    });

  it('yields one CA per idempotency key, regardless of the number of calls', async () => {
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => call(key, 'Once')));
    expect(new Set(answers.map(({ uuid }) => uuid)).size).toBe(1);
    await expect(call(key, 'Other name')).rejects.toMatchObject({ status: 422 });
  });

  it('resumes after an interruption if the same idempotency key is used', async () => {
    const key = randomUUID();
    const dying = await ours.restart({
      storage: watchedStorage(ours.context.storage, {
        before: (statement) => {
          if (/SET certificate =/.test(statement)) throw new Error('killed');
        },
      }),
    });
    await expect(call(key, 'Cut off', dying)).rejects.toMatchObject({ status: 500 });
    expect((await ours.call(operations.listAuthorityInstances, {})).some(({ name }) => name === 'Cut off')).toBe(false);
    const { uuid } = await call(key, 'Cut off', await ours.restart());
    expect((await certificateOf(uuid)).isCa).toBe(true);
    const { rows } = await ours.pool.query("SELECT FROM connector_software_authority.authority WHERE name = 'Cut off'");
    expect(rows).toHaveLength(1);
  });
});

describe('an update', () => {
  const update = (uuid: string, name: string, ...attributes: RequestAttributeDto[]) =>
    ours.call(operations.updateAuthorityInstance, { params: { uuid }, body: { name, kind: 'SoftwareCA', attributes } });

  it('can change the name and the CRL validity, and is accepted only if all other values are unchanged', async () => {
    const uuid = await create('Before', text(AUTHORITY.subject, 'CN=Fixed'), integer(AUTHORITY.crlValidityHours, 10));
    const changed = await update(
      uuid,
      'After',
      text(AUTHORITY.subject, 'CN=Fixed'),
      integer(AUTHORITY.crlValidityHours, 20),
    );
    expect(changed.name).toBe('After');
    expect(changed.attributes.find(({ name }) => name === AUTHORITY.crlValidityHours)).toMatchObject({
      content: [{ data: 20 }],
    });
    await expect(update(uuid, 'After', text(AUTHORITY.subject, 'CN=Other'))).rejects.toMatchObject({ status: 422 });
  });

  it('is visible on other nodes within five seconds', async () => {
    const uuid = await create('Removed elsewhere');
    const other = await ours.restart();
    await issueDer(other.call, { authority: uuid });
    await ours.call(operations.removeAuthorityInstance, { params: { uuid } });
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 5_000);
    await expect(issueDer(other.call, { authority: uuid })).rejects.toMatchObject({ status: 404 });
  });
});
