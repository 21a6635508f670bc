// Entities on this machine: real files with their modes and owners, and error handling.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityProviderOperations as operations } from '@signetry/contract';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { exportPrivateKeyPem, generateKeyPair } from '@signetry/pki/node';
import {
  ipAddressName,
  readCertificationRequest,
  requestedAltNames,
  subjectAltNameExtension,
  toBase64,
  writePem,
} from '@signetry/pki';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENTITY, LOCATION, REQUEST } from './index.ts';
import { METADATA } from './locations/location-metadata.ts';
import {
  addEntity,
  contentsOf,
  detail,
  flag,
  issueFor,
  issueInto,
  issuersValue,
  localValues,
  locationValues,
  makeRequest,
  push,
  rejectionOf,
  removeFrom,
  requestValues,
  serialOf,
  startTestFiles,
  text,
  type Files,
  type TestLocation,
} from './testing/test-files.ts';

// Fails while this file exists. Its path contains no shell metacharacters.
const breaker = join(tmpdir(), `signetry-files-broken-${process.pid}`);
const { call, folder, authority, withContext } = await startTestFiles({
  reloadCommands: { works: 'true', checks: `test ! -e ${breaker} || { echo "no good" >&2; exit 3; }` },
});
const entity = await addEntity(call, localValues);

let count = 0;
/** Creates a location in a directory of its own. */
async function newLocation(
  files: Files,
  ...more: Parameters<typeof locationValues>[1][]
): Promise<TestLocation & { at: string }> {
  count += 1;
  const name = `site-${count}`;
  await mkdir(join(folder, name));
  const below = Object.fromEntries(
    Object.entries({ key: 'server.key', ...files }).map(([k, v]) => [k, `${name}/${v}`]),
  );
  return { call, entity, location: locationValues(below, ...more), at: join(folder, name) };
}

const standard = { certificate: 'server.crt', fullChain: 'full.pem', chain: 'chain.pem' };
const [issuing, root] = await Promise.all([
  createExternalAuthority('CN=Issuing CA'),
  createExternalAuthority('CN=Root'),
]);

describe('a key and its certificate', () => {
  it('are created, installed with their file modes, and shown together, without leaving temporary files behind', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    const made = await makeRequest(place);
    expect(Object.keys(await contentsOf(place.at))).toEqual(['server.key.new']);
    expect((await contentsOf(place.at))['server.key.new']).toMatch(/^600 -----BEGIN PRIVATE KEY/);
    const certificate = issueFor(authority, made.csr);
    expect(await push(place, certificate)).toMatchObject({ withKey: true });
    const files = await contentsOf(place.at);
    expect(Object.keys(files)).toEqual(['server.crt', 'server.key']);
    expect(files['server.key']).toMatch(/^600 /);
    expect(files['server.crt']).toMatch(/^644 /);
    const key = createPrivateKey((files['server.key'] ?? '').slice(4));
    expect(new X509Certificate((files['server.crt'] ?? '').slice(4)).checkPrivateKey(key)).toBe(true);
    const { certificates, multipleEntries, supportKeyManagement } = await detail(place);
    expect(certificates).toMatchObject([{ certificateData: toBase64(certificate), withKey: true }]);
    expect({ multipleEntries, supportKeyManagement }).toEqual({ multipleEntries: false, supportKeyManagement: true });
  });

  it('include the chain without the root, built from the issuer certificates', async () => {
    const issuingKey = await generateKeyPair('P-256');
    const intermediate = await createExternalAuthority('CN=Intermediate', issuingKey);
    const link = root.certify({ subject: 'CN=Intermediate', spki: issuingKey.spki });
    const place = await newLocation(standard, issuersValue(root.der, link));
    const certificate = await issueInto(place, intermediate);
    const files = await contentsOf(place.at);
    const pemCount = (name: string): number => (files[name] ?? '').split('BEGIN CERTIFICATE').length - 1;
    expect([pemCount('server.crt'), pemCount('chain.pem'), pemCount('full.pem')]).toEqual([1, 1, 2]);
    expect(new X509Certificate((files['chain.pem'] ?? '').slice(4)).subject).toBe('CN=Intermediate');
    const [shown] = (await detail(place)).certificates;
    expect(shown?.certificateData).toBe(toBase64(certificate));
    expect(shown?.metadata?.find(({ name }) => name === METADATA.chain)?.content).toMatchObject([
      { data: 'CN=Intermediate' },
    ]);
    // The next push finds the stored chain, without configured issuers.
    const next = { ...place, location: place.location.filter(({ name }) => name !== LOCATION.issuers) };
    await issueInto(next, intermediate);
    expect((await contentsOf(place.at))['chain.pem']).toBe(files['chain.pem']);
  });

  it('are rejected if the issuer for a full chain is unknown; the error names the issuer, and nothing changes', async () => {
    const place = await newLocation({ fullChain: 'full.pem' });
    expect(await rejectionOf(issueInto(place, issuing))).toMatch(
      /^422 .*issuer CN=Issuing CA is not known.*data_issuer/,
    );
    expect(Object.keys(await contentsOf(place.at))).toEqual(['server.key.new']);
  });

  it('are rejected if they do not match', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    await issueInto(place, authority);
    const before = await contentsOf(place.at);
    const { spki } = await generateKeyPair('P-256');
    const other = authority.issue({ subject: 'CN=other', spki });
    expect(await rejectionOf(push(place, other))).toMatch(/^422 .*matches neither the key in .*server\.key/);
    expect(await contentsOf(place.at)).toEqual(before);
  });

  it.each(['P-256', 'P-384', 'RSA-2048', 'RSA-3072', 'Ed25519'])('can use %s, with SANs', async (algorithm) => {
    const place = await newLocation({ certificate: 'server.crt' });
    const values = requestValues(
      text(REQUEST.keyAlgorithm, algorithm),
      { ...text(REQUEST.dnsNames, 'www.example.com, *.example.com'), contentType: 'text' },
      { ...text(REQUEST.ipAddresses, '192.0.2.1, 2001:db8::1'), contentType: 'text' },
    );
    const request = readCertificationRequest((await makeRequest(place, { values })).csr);
    expect(requestedAltNames(request).map(({ kind }) => kind)).toEqual([
      'dNSName',
      'dNSName',
      'iPAddress',
      'iPAddress',
    ]);
    await push(place, issueFor(authority, toBase64(request.der)));
    const [shown] = (await detail(place)).certificates;
    expect(shown?.csrAttributes?.find(({ name }) => name === REQUEST.keyAlgorithm)?.content).toMatchObject([
      { data: algorithm },
    ]);
  });

  it('are renewed with a new key, or with the same one if requested', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    await issueInto(place, authority);
    const first = await readFile(join(place.at, 'server.key'), 'utf8');
    const kept = await makeRequest(place, { values: requestValues(flag(REQUEST.keepKey, true)), renewal: true });
    await push(place, issueFor(authority, kept.csr));
    expect(await readFile(join(place.at, 'server.key'), 'utf8')).toBe(first);
    const fresh = await makeRequest(place, { renewal: true });
    expect(await readFile(join(place.at, 'server.key'), 'utf8')).toBe(first);
    await push(place, issueFor(authority, fresh.csr));
    expect(await readFile(join(place.at, 'server.key'), 'utf8')).not.toBe(first);
    expect(await readFile(join(place.at, 'server.key.previous'), 'utf8')).toBe(first);
  });

  it('are restored with the stored key and chain when the previous certificate is pushed again', async () => {
    const [formerKey, nextKey] = await Promise.all([generateKeyPair('P-256'), generateKeyPair('P-256')]);
    const former = await createExternalAuthority('CN=Former', formerKey);
    const next = await createExternalAuthority('CN=Next', nextKey);
    const link = (subject: string, spki: Uint8Array) => root.certify({ subject, spki });
    const place = await newLocation(standard, issuersValue(link('CN=Former', formerKey.spki)));
    const first = await issueInto(place, former);
    const before = await contentsOf(place.at);
    const withNext = [
      ...place.location.filter(({ name }) => name !== LOCATION.issuers),
      issuersValue(link('CN=Next', nextKey.spki)),
    ];
    const after = { ...place, location: withNext };
    const second = await issueInto(after, next);
    await push(after, first);
    const restored = await contentsOf(place.at);
    for (const [name, content] of Object.entries(before)) expect(restored[name]).toBe(content);
    expect((await detail(after)).certificates).toMatchObject([{ certificateData: toBase64(first), withKey: true }]);
    // The replaced certificate is stored in turn.
    await push(after, second);
    expect((await detail(after)).certificates).toMatchObject([{ certificateData: toBase64(second), withKey: true }]);
  });

  it('are not restored if the stored key cannot be read', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    const first = await issueInto(place, authority);
    await issueInto(place, authority);
    await writeFile(join(place.at, 'server.key.previous'), 'damaged');
    const before = await contentsOf(place.at);
    expect(await rejectionOf(push(place, first))).toMatch(
      /^422 .*matches neither .* or a previous key in .*server\.key\.previous/,
    );
    expect(await contentsOf(place.at)).toEqual(before);
  });

  it('have the file mode and owner specified for the location', async () => {
    const place = await newLocation(
      { certificate: 'server.crt' },
      text(LOCATION.keyMode, '0640'),
      text(LOCATION.certificateMode, '0444'),
      text(LOCATION.owner, String(process.getuid?.())),
      text(LOCATION.group, String(process.getgid?.())),
    );
    await issueInto(place, authority);
    const files = await contentsOf(place.at);
    expect([files['server.key']?.slice(0, 4), files['server.crt']?.slice(0, 4)]).toEqual(['640 ', '444 ']);
    const nobody = { ...place, location: [...place.location.slice(0, 4), text(LOCATION.owner, 'no-such-user')] };
    expect(await rejectionOf(issueInto(nobody, authority))).toMatch(
      /^422 Cannot change the owner of .* to no-such-user.*Nothing was/,
    );
    expect(Object.keys(await contentsOf(place.at))).toEqual(['server.crt', 'server.key', 'server.key.new']);
  });
});

describe('concurrent changes', () => {
  it('are serialized: the last certificate is installed with its key', async () => {
    const place = await newLocation({ certificate: 'server.crt' }, text(LOCATION.reloadCommand, 'works'));
    await issueInto(place, authority);
    const values = requestValues(flag(REQUEST.keepKey, true));
    const kept = await makeRequest(place, { values, renewal: true });
    const fresh = await makeRequest(place);
    const certificates = [kept, fresh].map(({ csr }) => issueFor(authority, csr));
    await Promise.all(certificates.map((each) => push(place, each)));
    expect((await detail(place)).certificates).toMatchObject([
      { certificateData: toBase64(certificates[1] ?? new Uint8Array()), withKey: true },
    ]);
    expect(Object.keys(await contentsOf(place.at)).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

describe('a change that fails', () => {
  it('at the reload restores all previous files, reloads again and reports the reason', async () => {
    const place = await newLocation({ certificate: 'server.crt' }, text(LOCATION.reloadCommand, 'checks'));
    await issueInto(place, authority);
    const before = await contentsOf(place.at);
    await writeFile(breaker, '');
    onTestFinished(() => rm(breaker, { force: true }));
    const certificate = issueFor(authority, (await makeRequest(place)).csr);
    expect(await rejectionOf(push(place, certificate))).toMatch(
      /^422 The reload command "checks" failed on this machine \(exit code 3: no good\)\. The previous files were restored, but the command also failed with them/,
    );
    const after = await contentsOf(place.at);
    expect([after['server.key'], after['server.crt']]).toEqual([before['server.key'], before['server.crt']]);
    expect(Object.keys(after).filter((name) => name.includes('.part'))).toEqual([]);
    // Once the server works again, the same certificate is installed.
    await rm(breaker);
    await push(place, certificate);
    expect((await detail(place)).certificates[0]?.certificateData).toBe(toBase64(certificate));
  });

  it('during the first push leaves no files behind', async () => {
    const place = await newLocation({ certificate: 'server.crt' }, text(LOCATION.reloadCommand, 'checks'));
    await writeFile(breaker, '');
    onTestFinished(() => rm(breaker, { force: true }));
    expect(await rejectionOf(issueInto(place, authority))).toContain('422 The reload command');
    expect(Object.keys(await contentsOf(place.at))).toEqual(['server.key.new']);
  });

  it.skipIf(process.getuid?.() === 0)('due to missing permissions changes nothing and names the file', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    const certificate = issueFor(authority, (await makeRequest(place)).csr);
    await chmod(place.at, 0o500);
    onTestFinished(() => chmod(place.at, 0o700));
    expect(await rejectionOf(push(place, certificate))).toMatch(
      /^422 Cannot write .*permission denied; grant it to the platform's user.*Nothing/,
    );
  });
});

describe('a removal', () => {
  const metadataOf = async (place: TestLocation) => (await detail(place)).certificates[0]?.metadata ?? [];

  it('deletes the files and their previous versions, and has no effect when repeated', async () => {
    const place = await newLocation({ certificate: 'server.crt' }, text(LOCATION.reloadCommand, 'works'));
    await issueInto(place, authority);
    await issueInto(place, authority);
    const metadata = await metadataOf(place);
    await removeFrom(place, metadata);
    expect(await contentsOf(place.at)).toEqual({});
    await removeFrom(place, metadata);
  });

  it('restores the previous certificate and key if this is configured for the location', async () => {
    const place = await newLocation({ certificate: 'server.crt' }, text(LOCATION.onRemoval, 'restore'));
    const first = await issueInto(place, authority);
    const before = await contentsOf(place.at);
    await issueInto(place, authority);
    await removeFrom(place, await metadataOf(place));
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(first), withKey: true }]);
    expect(await contentsOf(place.at)).toEqual(before);
    expect(await rejectionOf(removeFrom(place, await metadataOf(place)))).toMatch(
      /^422 Cannot restore the previous files: there is no previous certificate/,
    );
    expect(await contentsOf(place.at)).toEqual(before);
  });

  it('leaves a different certificate unchanged', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    await issueInto(place, authority);
    const old = await metadataOf(place);
    const second = await issueInto(place, authority);
    await removeFrom(place, old);
    expect((await detail(place)).certificates[0]?.certificateData).toBe(toBase64(second));
  });

  it('of an abandoned request deletes its pending key, and no other', async () => {
    const place = await newLocation({ certificate: 'server.crt' });
    const first = await makeRequest(place);
    const second = await makeRequest(place);
    await removeFrom(place, first.metadata ?? []);
    expect(Object.keys(await contentsOf(place.at))).toEqual(['server.key.new']);
    await removeFrom(place, second.metadata ?? []);
    expect(await contentsOf(place.at)).toEqual({});
  });
});

describe('existing files', () => {
  it('are shown with the values needed for a renewal, and without a key if it does not match', async () => {
    const place = await newLocation({ fullChain: 'full.pem' });
    const keys = await generateKeyPair('RSA-2048');
    const names = [{ kind: 'dNSName', value: 'old.example.com' } as const, ipAddressName('192.0.2.7')];
    const der = authority.issue({
      subject: 'CN=old.example.com',
      spki: keys.spki,
      extensions: [subjectAltNameExtension(names)],
    });
    const put = (name: string, pem: string) => writeFile(join(place.at, name), pem);
    await put('full.pem', writePem('CERTIFICATE', der));
    await put('server.key', await exportPrivateKeyPem(keys.privateKey));
    const [shown] = (await detail(place)).certificates;
    expect(shown?.withKey).toBe(true);
    const values = Object.fromEntries((shown?.csrAttributes ?? []).map((each) => [each.name, each.content?.[0]?.data]));
    expect(values).toEqual({
      [REQUEST.subject]: 'CN=old.example.com',
      [REQUEST.dnsNames]: 'old.example.com',
      [REQUEST.ipAddresses]: '192.0.2.7',
      [REQUEST.keyAlgorithm]: 'RSA-2048',
    });
    await put('server.key', await exportPrivateKeyPem((await generateKeyPair('Ed25519')).privateKey));
    expect((await detail(place)).certificates[0]?.withKey).toBe(false);
    await put('server.key', await exportPrivateKeyPem(keys.privateKey, { password: 'closed' }));
    expect((await detail(place)).certificates[0]?.withKey).toBe(false);
    await rm(join(place.at, 'full.pem'));
    expect((await detail(place)).certificates).toEqual([]);
  });

  it('are rejected if they are outside the directory or not regular files', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'signetry-outside-'));
    onTestFinished(() => rm(outside, { recursive: true }));
    await writeFile(join(outside, 'secret.pem'), 'secret');
    await symlink(outside, join(folder, 'leads-out'));
    const at = (certificate: string) =>
      rejectionOf(detail({ call, entity, location: locationValues({ certificate }) }));
    const refused = /^422 .*is outside the directory web/;
    expect(await at('leads-out/secret.pem')).toMatch(refused);
    expect(await at('../secret.pem')).toMatch(refused);
    expect(await at(join(outside, 'secret.pem'))).toMatch(refused);
    const place = await newLocation({ certificate: 'server.crt' });
    await symlink(join(outside, 'secret.pem'), join(place.at, 'server.crt'));
    expect(await rejectionOf(detail(place))).toMatch(/^422 Cannot read .*symbolic link/);
    await rm(join(place.at, 'server.crt'));
    execFileSync('mkfifo', [join(place.at, 'server.crt')]);
    expect(await rejectionOf(detail(place))).toMatch(/^422 .*is not a regular file/);
  });
});

describe('the configuration', () => {
  it('limits access to the named directories and commands', async () => {
    const place = {
      call,
      entity,
      location: locationValues({ certificate: 'a.crt' }, text(LOCATION.reloadCommand, 'rm -rf /')),
    };
    expect(await rejectionOf(detail(place))).toMatch(/^422 .*does not offer "rm -rf/);
    const elsewhere = [text(ENTITY.transport, 'local'), text(ENTITY.directory, '/etc')];
    expect(await rejectionOf(addEntity(call, elsewhere))).toMatch(/^422 .*does not offer/);
    const none = await withContext({ directories: {} });
    expect(await rejectionOf(addEntity(none, [text(ENTITY.transport, 'local')]))).toMatch(/^422 No directory of this/);
    const location = locationValues({ certificate: 'a.crt' });
    expect(await rejectionOf(detail({ call: none, entity, location }))).toMatch(
      /^503 The directory web of "web" is not configured\. Start with --entity-directories web=PATH/,
    );
  });

  it('of a location is validated, and all problems are reported', async () => {
    const bad = (location: TestLocation['location']) =>
      rejectionOf(call(operations.validateLocationAttributes, { params: { entityUuid: entity }, body: location }));
    expect(await bad(locationValues({}))).toMatch(/must have a certificate file .* or a full chain file/);
    expect(await bad(locationValues({ certificate: 'server.key' }))).toContain(
      'The files of a location must be different.',
    );
    expect(await bad(locationValues({ certificate: 'dir/' }))).toContain('"dir/" is not a file path');
    const owner = locationValues({ certificate: 'a' }, text(LOCATION.owner, 'x;reboot'));
    expect(await bad(owner)).toContain('"x;reboot" is not a name or ID');
  });

  it('of entities is returned as entered', async () => {
    const { attributes } = await call(operations.getEntityInstance, { params: { entityUuid: entity } });
    expect(attributes.map(({ name, content }) => [name, content])).toEqual([
      [ENTITY.transport, [{ reference: 'On this machine', data: 'local' }]],
      [ENTITY.directory, [{ reference: 'web', data: 'web' }]],
    ]);
  });

  it('of an entity is retained across restarts', async () => {
    const again = await withContext({});
    expect(await again(operations.getEntityInstance, { params: { entityUuid: entity } })).toMatchObject({
      name: 'web',
    });
    const place = await newLocation({ certificate: 'server.crt' });
    const certificate = await issueInto({ ...place, call: again }, authority);
    expect(serialOf(Buffer.from((await detail(place)).certificates[0]?.certificateData ?? '', 'base64'))).toBe(
      serialOf(certificate),
    );
  });
});
