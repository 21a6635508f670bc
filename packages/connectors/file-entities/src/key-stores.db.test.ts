// Local key stores: real files, and error handling.
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { chmod, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityProviderOperations as operations } from '@signetry/contract';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { readCertificationRequest, toBase64 } from '@signetry/pki';
import { generateKeyPair, keyStoreEntry, readKeyStore, writeKeyStore, type KeyStoreEntry } from '@signetry/pki/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KEY_STORE, KEY_STORE_REQUEST, LOCATION } from './index.ts';
import {
  addLocal,
  aliasesOf,
  csrValues,
  issueAs,
  createLocationFactory,
  PASSWORD,
  pushAs,
  STORE_TYPES,
  storeValues,
} from './testing/key-stores.ts';
import {
  contentsOf,
  detail,
  flag,
  issueFor,
  issuersValue,
  makeRequest,
  rejectionOf,
  removeFrom,
  secret,
  startTestFiles,
  text,
} from './testing/test-files.ts';

const breaker = join(tmpdir(), `signetry-stores-broken-${process.pid}`);
const { call, folder, authority } = await startTestFiles({
  reloadCommands: { works: 'true', checks: `test ! -e ${breaker} || { echo "no good" >&2; exit 3; }` },
});
const entity = await addLocal(call);
const newPlace = createLocationFactory({ call, entity, folder });

const storeAt = async (file: string, type: 'PKCS12' | 'JKS' = 'PKCS12') =>
  readKeyStore(new Uint8Array(await readFile(file)), { type, password: PASSWORD });
const namesIn = async (at: string): Promise<string[]> => Object.keys(await contentsOf(at));
const put = async (file: string, entries: KeyStoreEntry[], type: 'PKCS12' | 'JKS' = 'PKCS12', password = PASSWORD) =>
  writeFile(file, await writeKeyStore({ type, entries, others: [] }, { password, now: new Date() }));

// Reading and writing PKCS #12 takes hundreds of thousands of hash iterations, which can take seconds on a busy
// machine.
describe.each(STORE_TYPES)('a %s key store', { timeout: 120_000 }, (type) => {
  it('is created with the first key and certificate, accepts additional ones, and shows each certificate with its key', async () => {
    const place = await newPlace(type);
    const made = await makeRequest(place, { values: csrValues('first') });
    expect(await namesIn(place.at)).toEqual(['keystore.new']);
    const first = issueFor(authority, made.csr);
    expect(await pushAs(place, 'first', first)).toMatchObject({ withKey: true });
    const second = await issueAs(place, 'second', authority);
    const { certificates, multipleEntries, supportKeyManagement } = await detail(place);
    expect(certificates).toMatchObject([
      { certificateData: toBase64(first), withKey: true },
      { certificateData: toBase64(second), withKey: true },
    ]);
    expect({ multipleEntries, supportKeyManagement }).toEqual({ multipleEntries: true, supportKeyManagement: true });
    expect(await namesIn(place.at)).toEqual(['keystore', 'keystore.previous']);
    expect(((await stat(place.file)).mode & 0o777).toString(8)).toBe('600');
    const values = Object.fromEntries(
      (certificates[0]?.csrAttributes ?? []).map(({ name, content }) => [name, content?.[0]?.data]),
    );
    expect(values).toEqual({ alias: 'first', dname: 'CN=first.example', keyalg: 'EC', keysize: '256' });
  });

  it('supports renewal with a new key or the same key for each entry, without changes to other entries', async () => {
    const place = await newPlace(type);
    await issueAs(place, 'other', authority);
    await issueAs(place, 'mine', authority);
    const [other] = (await storeAt(place.file, type)).entries;
    const kept = await makeRequest(place, {
      values: csrValues('MINE', flag(KEY_STORE_REQUEST.keepKey, true)),
      renewal: true,
    });
    const before = readCertificationRequest(kept.csr).publicKey.spki.toHex();
    await pushAs(place, 'MINE', issueFor(authority, kept.csr));
    const fresh = await makeRequest(place, { values: csrValues('mine'), renewal: true });
    expect(readCertificationRequest(fresh.csr).publicKey.spki.toHex()).not.toBe(before);
    await pushAs(place, 'mine', issueFor(authority, fresh.csr));
    const { entries } = await storeAt(place.file, type);
    expect(entries.map(({ alias }) => alias)).toEqual(['other', 'mine']);
    expect(entries[0]).toEqual(other);
  });

  it('stores aliases as Java does, and finds them regardless of case', async () => {
    const place = await newPlace(type);
    await issueAs(place, 'Tomcat', authority);
    const stored = type === 'JKS' ? 'tomcat' : 'Tomcat';
    expect((await storeAt(place.file, type)).entries.map(({ alias }) => alias)).toEqual([stored]);
    expect(await aliasesOf(place)).toEqual([[stored, true]]);
    const renewed = await issueAs(place, 'TOMCAT', authority);
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(renewed), withKey: true }]);
    expect(await aliasesOf(place)).toEqual([[stored, true]]);
  });

  it('restores a previous certificate together with its stored key', async () => {
    const place = await newPlace(type);
    await issueAs(place, 'other', authority);
    const first = await issueAs(place, 'mine', authority);
    const second = await issueAs(place, 'mine', authority);
    expect(await pushAs(place, 'mine', first)).toMatchObject({ withKey: true });
    expect((await detail(place)).certificates[1]).toMatchObject({ certificateData: toBase64(first), withKey: true });
    await pushAs(place, 'mine', second);
    expect((await detail(place)).certificates[1]).toMatchObject({ certificateData: toBase64(second), withKey: true });
  });

  it('rejects a wrong password with an explanation, and stays unchanged', async () => {
    const place = await newPlace(type);
    await issueAs(place, 'mine', authority);
    const before = await contentsOf(place.at);
    const wrong = {
      ...place,
      location: place.location.map((each) =>
        each.name === KEY_STORE.password ? secret(KEY_STORE.password, 'guessed') : each,
      ),
    };
    const refused =
      /^422 Cannot open .*keystore: the password \(keystorePassword\) is wrong, or the file is damaged\.$/;
    expect(await rejectionOf(detail(wrong))).toMatch(refused);
    expect(await rejectionOf(makeRequest(wrong, { values: csrValues('x') }))).toMatch(refused);
    expect(await rejectionOf(pushAs(wrong, 'mine', authority.der))).toMatch(refused);
    expect(await contentsOf(place.at)).toEqual(before);
  });

  it('is not overwritten if someone else has changed it in the meantime', async () => {
    const place = await newPlace(type, text(LOCATION.reloadCommand, 'works'));
    await issueAs(place, 'mine', authority);
    const waiting = issueFor(authority, (await makeRequest(place, { values: csrValues('mine') })).csr);
    const theirs = await generateKeyPair('P-256');
    const cert = authority.issue({ subject: 'CN=theirs', spki: theirs.spki });
    const { entries } = await storeAt(place.file, type);
    const changed = join(place.at, 'changed');
    await put(changed, [...entries, keyStoreEntry('theirs', theirs.privateKey, [cert])], type);
    const octets = readFileSync(changed);
    await rm(changed);
    let writes = 0;
    const watcher = watch(place.at, (_event, name) => {
      if (!name?.endsWith('.part') || writes > 0) return;
      writes += 1;
      writeFileSync(place.file, octets);
    });
    onTestFinished(() => watcher.close());
    expect(await rejectionOf(pushAs(place, 'mine', waiting))).toMatch(
      /^422 .*keystore was changed by someone else in the meantime\. Nothing was changed; try again\.$/,
    );
    expect(writes).toBe(1);
    expect((await readFile(place.file)).equals(octets)).toBe(true);
    expect((await namesIn(place.at)).filter((name) => name.includes('.part'))).toEqual([]);
    await pushAs(place, 'mine', waiting);
    expect(await aliasesOf(place)).toEqual([
      ['mine', true],
      ['theirs', true],
    ]);
  });
});

describe('a key store', () => {
  it('keeps its mode and owner, or gets those specified in the location', async () => {
    const place = await newPlace();
    await issueAs(place, 'mine', authority);
    await chmod(place.file, 0o640);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(place.file, 65_534, 65_534);
    await issueAs(place, 'mine', authority);
    const { mode, uid } = await stat(place.file);
    expect([(mode & 0o777).toString(8), uid]).toEqual(['640', isRoot ? 65_534 : process.getuid?.()]);
    const own = { ...place, location: [...place.location, text(KEY_STORE.mode, '0400')] };
    await issueAs(own, 'mine', authority);
    expect(((await stat(place.file)).mode & 0o777).toString(8)).toBe('400');
  });

  it("contains chains without the root, built from the location's issuers or from certificates in the store", async () => {
    const [root, issuingKey] = await Promise.all([createExternalAuthority('CN=Root'), generateKeyPair('P-256')]);
    const issuing = await createExternalAuthority('CN=Issuing', issuingKey);
    const link = root.certify({ subject: 'CN=Issuing', spki: issuingKey.spki });
    const place = await newPlace('PKCS12', issuersValue(root.der, link));
    await issueAs(place, 'mine', issuing);
    expect((await storeAt(place.file)).entries[0]?.chain).toHaveLength(2);
    const [shown] = (await detail(place)).certificates;
    expect(shown?.metadata?.find(({ name }) => name === 'meta_chain')?.content).toMatchObject([{ data: 'CN=Issuing' }]);
    const strict = await newPlace('PKCS12', issuersValue(root.der));
    const other = await createExternalAuthority('CN=Unknown');
    expect(await rejectionOf(issueAs(strict, 'mine', other))).toMatch(/^422 Cannot build the chain: .*CN=Unknown/);
    expect(await namesIn(strict.at)).toEqual(['keystore.new']);
  });

  it('rejects a certificate that does not match the key, accepts one without a key as trusted, and keeps trusted entries', async () => {
    const place = await newPlace();
    await issueAs(place, 'mine', authority);
    const { spki } = await generateKeyPair('P-256');
    const stranger = authority.issue({ subject: 'CN=stranger', spki });
    expect(await rejectionOf(pushAs(place, 'mine', stranger))).toMatch(
      /^422 The certificate matches neither the key under the alias mine in .*keystore nor/,
    );
    expect(await pushAs(place, 'root', authority.der)).toMatchObject({ withKey: false });
    expect(await aliasesOf(place)).toEqual([
      ['mine', true],
      ['root', false],
    ]);
    expect(await rejectionOf(makeRequest(place, { values: csrValues('Root') }))).toMatch(
      /^422 .*has a certificate without a key under the alias Root; choose a different alias/,
    );
  });

  it.each([
    [
      'Ed25519 with 384 bits',
      [text('keyalg', 'Ed25519'), text('keysize', '384')],
      /Ed25519 keys must have 255 bits, not 384/,
    ],
    ['EC with an RSA signature', [text('keyalg', 'EC'), text('sigalg', 'SHA256withRSA')], /EC keys cannot sign with/],
  ])('does not generate a key for %s', async (_, values, words) => {
    const place = await newPlace();
    expect(await rejectionOf(makeRequest(place, { values: csrValues('mine', ...values) }))).toMatch(words);
    expect(await namesIn(place.at)).toEqual([]);
  });

  it.each([
    ['RSA', '2048', 'SHA512withRSA'],
    ['EC', '384', 'SHA384withECDSA'],
    ['Ed25519', undefined, undefined],
  ])('generates %s %s keys, and CSRs signed with %s', async (algorithm, size, signature) => {
    const place = await newPlace('JKS');
    const values = csrValues(
      'mine',
      text(KEY_STORE_REQUEST.keyAlgorithm, algorithm),
      ...(size ? [text(KEY_STORE_REQUEST.keySize, size)] : []),
      ...(signature ? [text(KEY_STORE_REQUEST.signatureAlgorithm, signature)] : []),
    );
    const { csr } = await makeRequest(place, { values });
    await pushAs(place, 'mine', issueFor(authority, csr));
    expect(await aliasesOf(place)).toEqual([['mine', true]]);
  });

  it('is restored if the reload fails', async () => {
    const place = await newPlace('JKS', text(LOCATION.reloadCommand, 'checks'));
    const first = await issueAs(place, 'mine', authority);
    const before = await readFile(place.file);
    await writeFile(breaker, '');
    onTestFinished(() => rm(breaker, { force: true }));
    expect(await rejectionOf(issueAs(place, 'mine', authority))).toMatch(
      /^422 The reload command "checks" failed .*no good/,
    );
    expect((await readFile(place.file)).equals(before)).toBe(true);
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(first), withKey: true }]);
  });

  it('drops a removed entry and its stored key, or restores the previous entry', async () => {
    const place = await newPlace('JKS');
    await issueAs(place, 'other', authority);
    const first = await issueAs(place, 'mine', authority);
    await issueAs(place, 'mine', authority);
    const metadata = (await detail(place)).certificates[1]?.metadata ?? [];
    const restoring = { ...place, location: [...place.location, text(KEY_STORE.onRemoval, 'restore')] };
    await removeFrom(restoring, metadata);
    const [, shown] = (await detail(place)).certificates;
    expect(shown).toMatchObject({ certificateData: toBase64(first), withKey: true });
    expect(await rejectionOf(removeFrom(restoring, shown?.metadata ?? []))).toMatch(
      /^422 .*no certificate with its key/,
    );
    await removeFrom(place, metadata); // The entry has a different certificate by now.
    expect(await aliasesOf(place)).toHaveLength(2);
    await removeFrom(place, shown?.metadata ?? []);
    expect(await aliasesOf(place)).toEqual([['other', true]]);
    expect(await namesIn(place.at)).toEqual(['keystore']);
    await removeFrom(place, shown?.metadata ?? []);
  });

  it('can hold multiple pending keys, and deletes the key of an abandoned request', async () => {
    const place = await newPlace();
    const one = await makeRequest(place, { values: csrValues('one') });
    const two = await makeRequest(place, { values: csrValues('two') });
    await removeFrom(place, one.metadata ?? []);
    await pushAs(place, 'two', issueFor(authority, two.csr));
    expect(await aliasesOf(place)).toEqual([['two', true]]);
    expect(await namesIn(place.at)).toEqual(['keystore']);
  });

  it('is rejected if it has a different type, is JCEKS, is damaged, or contains duplicate aliases', async () => {
    const place = await newPlace('JKS');
    const keys = await generateKeyPair('P-256');
    const entries = [
      keyStoreEntry('twice', keys.privateKey, [authority.der]),
      keyStoreEntry('Twice', keys.privateKey, []),
    ];
    await put(place.file, entries);
    expect(await rejectionOf(detail(place))).toMatch(/^422 Cannot read .*keystore as JKS: .*type PKCS12, not JKS/);
    await writeFile(place.file, Buffer.from('cececece0000000200000000', 'hex'));
    expect(await rejectionOf(detail(place))).toMatch(/^422 .*JCEKS.* not supported. Convert it with: keytool/);
    await put(place.file, entries, 'JKS');
    expect(await rejectionOf(makeRequest(place, { values: csrValues('twice') }))).toMatch(
      /^422 .*multiple entries with the alias twice/,
    );
    await writeFile(place.file, (await readFile(place.file)).subarray(0, 100));
    expect(await rejectionOf(detail(place))).toMatch(/^422 .*truncated in the middle of an entry/);
  });

  it('preserves a JKS key that has its own password, but cannot use it for a renewal', async () => {
    const place = await newPlace('JKS');
    const keys = await generateKeyPair('P-256');
    const cert = authority.issue({ subject: 'CN=own', spki: keys.spki });
    await put(place.file, [keyStoreEntry('own', keys.privateKey, [cert])], 'JKS', 'another');
    const { entries } = await readKeyStore(new Uint8Array(await readFile(place.file)), {
      type: 'JKS',
      password: 'another',
    });
    await put(place.file, [...entries], 'JKS');
    await issueAs(place, 'mine', authority);
    expect((await storeAt(place.file, 'JKS')).entries[0]).toEqual(entries[0]);
    const values = csrValues('own', flag(KEY_STORE_REQUEST.keepKey, true));
    expect(await rejectionOf(makeRequest(place, { values, renewal: true }))).toMatch(
      /^422 The key under the alias own has its own password/,
    );
  });

  it('belongs to an entity whose kind cannot change, and rejects invalid aliases and paths', async () => {
    const update = call(operations.updateEntityInstance, {
      params: { entityUuid: entity },
      body: { name: 'web', kind: 'PEM', attributes: [] },
    });
    expect(await rejectionOf(update)).toMatch(/^422 "web" is of the kind Keystore, which cannot be changed/);
    const place = await newPlace();
    expect(await rejectionOf(pushAs(place, ' ', authority.der))).toMatch(/^422 .*(no name of an entry|alias)/);
    const outside = { ...place, location: storeValues('../keystore.p12', 'PKCS12') };
    expect(await rejectionOf(detail(outside))).toMatch(/^422 .*is outside the directory web/);
  });
});
