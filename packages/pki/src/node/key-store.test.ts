import { readFileSync, writeFileSync } from 'node:fs';
import { createHmac, pbkdf2Sync } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDer, elementBytes } from '../der/reader.ts';
import { encodeDer, integerPart, octetStringPart, oidPart, sequence, nullPart } from '../der/writer.ts';
import { isPkiError } from '../errors.ts';
import { OID } from '../oids.ts';
import { decodeModifiedUtf8, encodeModifiedUtf8 } from '../jks/modified-utf8.ts';
import { readJks, writeJks } from '../jks/jks.ts';
import { writePkcs12 } from '../pkcs12/writer.ts';
import { mutations } from '../testing/arbitraries.ts';
import { DAY_MS, issue, type TestEntity } from '../testing/authority.ts';
import { HAS_KEYTOOL, keytoolFolder, KEYTOOL_NOTE } from '../testing/keytool.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE } from '../testing/openssl.ts';
import { formatNameRfc4514 } from '../name-text.ts';
import { writePem } from '../pem.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { nodeCrypto } from './crypto.ts';
import { exportPrivateKeyPem, exportPublicKey } from './keys.ts';
import {
  keyStoreEntry,
  keyStorePrivateKey,
  readKeyStore,
  writeKeyStore,
  type KeyStore,
  type KeyStoreEntry,
  type KeyStoreType,
} from './key-store.ts';
import { readPkcs12 } from './pkcs12.ts';

/**
 * Created with OpenJDK 17 keytool: a key with its chain under `server`, its root as trusted; the PKCS #12 file also
 * contains a secret.
 */
const fixture = (name: string): Uint8Array =>
  Uint8Array.fromBase64(readFileSync(join(import.meta.dirname, '../testing/vectors', name), 'utf8').replace(/\s/g, ''));
const PASSWORD = 'changeit';
const files: Readonly<Record<KeyStoreType, Uint8Array>> = {
  JKS: fixture('keytool-17-jks.base64'),
  PKCS12: fixture('keytool-17-pkcs12.base64'),
};
const now = new Date('2026-11-23T12:00:00Z');
const TYPES = ['PKCS12', 'JKS'] as const;

const code = (value: string) => expect.objectContaining({ code: value });
const subjectOf = (der: Uint8Array): string => formatNameRfc4514(parseCertificate(der).subject);
const summarize = ({ entries }: KeyStore) =>
  entries.map(({ alias, key, chain, isTrusted }) => [alias, key !== undefined, chain.map(subjectOf), isTrusted]);

let root: TestEntity;
let leaf: TestEntity;
let other: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Root', notAfterMs: Date.now() + DAY_MS });
  leaf = await issue({ subject: 'CN=leaf.example', issuer: root, notAfterMs: Date.now() + DAY_MS });
  other = await issue({
    subject: 'CN=other.example',
    issuer: root,
    spec: 'RSA-2048',
    notAfterMs: Date.now() + DAY_MS,
  });
});

const entries = (): KeyStoreEntry[] => [
  keyStoreEntry('leaf', leaf.keys.privateKey, [leaf.certificate.der, root.certificate.der]),
  keyStoreEntry('öther', other.keys.privateKey, [other.certificate.der, root.certificate.der]),
  {
    alias: 'trust',
    key: undefined,
    chain: [root.certificate.der],
    isTrusted: true,
    createdMs: undefined,
    attributes: [],
  },
];
const write = (type: KeyStoreType, list = entries()) =>
  writeKeyStore({ type, entries: list, others: [] }, { password: PASSWORD, now });

describe.each(TYPES)('a keytool key store of type %s', (type) => {
  it('yields its entries, keys that match their certificates, chains and trusted certificates', async () => {
    const store = await readKeyStore(files[type], { type, password: PASSWORD });
    expect(summarize(store).toSorted()).toEqual([
      ['server', true, ['CN=fixture.example', 'CN=Fixture Root'], false],
      ['würzel €', false, ['CN=Fixture Root'], true],
    ]);
    const { key, chain } = store.entries.find(({ alias }) => alias === 'server') ?? expect.unreachable();
    const spki = exportPublicKey(keyStorePrivateKey(key ?? expect.unreachable(), PASSWORD));
    expect(spki.toHex()).toBe(parseCertificate(chain[0] ?? new Uint8Array()).spki.toHex());
    expect(store.others).toHaveLength(type === 'PKCS12' ? 1 : 0);
  });

  it('reports a wrong password differently from structural damage', async () => {
    await expect(readKeyStore(files[type], { type, password: 'changeIt' })).rejects.toThrow(code('wrong-password'));
    await expect(readKeyStore(files[type], { type, password: '' })).rejects.toThrow(code('wrong-password'));
  });

  it('is rejected if it is truncated anywhere or has trailing bytes', async () => {
    for (let length = 0; length < files[type].length; length++) {
      const cut = readKeyStore(files[type].subarray(0, length), { type, password: PASSWORD });
      expect(isPkiError(await cut.catch((error: unknown) => error))).toBe(true);
    }
    const longer = Uint8Array.from([...files[type], 0]);
    await expect(readKeyStore(longer, { type, password: PASSWORD })).rejects.toThrow(code('trailing-bytes'));
  });

  it('throws only our own error types if bytes are modified', async () => {
    await fc.assert(
      fc.asyncProperty(mutations([files[type]]), async (bytes) => {
        const outcome: unknown = await readKeyStore(bytes, { type, password: PASSWORD }).catch(
          (error: unknown) => error,
        );
        expect(outcome instanceof Error && !isPkiError(outcome) ? outcome : 'own').toBe('own');
      }),
      { numRuns: 200 },
    );
  });

  it('is not accepted as the other key store type', async () => {
    const wrong = type === 'JKS' ? 'PKCS12' : 'JKS';
    await expect(readKeyStore(files[type], { type: wrong, password: PASSWORD })).rejects.toThrow(
      `is a key store of type ${type}, not ${wrong}`,
    );
  });

  it('round-trips completely, including entries that the parser does not understand', async () => {
    const store = await readKeyStore(files[type], { type, password: PASSWORD });
    const again = await readKeyStore(await writeKeyStore(store, { password: PASSWORD, now }), {
      type,
      password: PASSWORD,
    });
    expect(summarize(again)).toEqual(summarize(store));
    expect(again.others).toEqual(store.others);
    expect(again.entries.map(({ createdMs }) => createdMs)).toEqual(store.entries.map(({ createdMs }) => createdMs));
  });
});

describe('a JKS store', () => {
  const options = { password: PASSWORD, digest: nodeCrypto.digest };

  it('has exactly the bytes that Java writes', () => {
    expect(writeJks(readJks(files.JKS, options), options).toHex()).toBe(files.JKS.toHex());
  });

  it('uses the aliases that Java looks up, unless two aliases differ only in case', () => {
    const entry = { kind: 'certificate', createdMs: 1, certificate: root.certificate.der } as const;
    const roundTripAliases = (...aliases: string[]) => {
      const options = { password: PASSWORD, digest: nodeCrypto.digest };
      const bytes = writeJks(
        aliases.map((alias) => ({ ...entry, alias })),
        options,
      );
      return readJks(bytes, options).map(({ alias }) => alias);
    };
    expect(roundTripAliases('Tomcat', 'ÄÖ', 'plain')).toEqual(['tomcat', 'äö', 'plain']);
    expect(roundTripAliases('Web', 'web', 'Mail')).toEqual(['Web', 'web', 'mail']);
  });

  it('has certificates without a type if it has version 1', () => {
    const content = files.JKS.subarray(0, -20).toHex();
    const old = Uint8Array.fromHex(
      content.replace('feedfeed00000002', 'feedfeed00000001').replaceAll('0005582e353039', ''), // The text "X.509".
    );
    const seal = `${Buffer.from(PASSWORD, 'utf16le').swap16().toString('hex')}${Buffer.from('Mighty Aphrodite').toString('hex')}`;
    const digest = nodeCrypto.sha1(Uint8Array.from([...Uint8Array.fromHex(seal), ...old]));
    const entriesOf = (bytes: Uint8Array) => readJks(bytes, options);
    expect(entriesOf(Uint8Array.from([...old, ...digest]))).toEqual(entriesOf(files.JKS));
  });

  it.each([
    ['JCEKS', 'cececece0000000200000000', 'unsupported-algorithm'],
    ['an unknown version', 'feedfeed0000000300000000', 'unsupported-version'],
    ['more entries than bytes', `feedfeed00000002000003e8${'00'.repeat(20)}`, 'bad-value'],
    ['four billion entries', 'feedfeed00000002ffffffff', 'bound-exceeded'],
    ['a key beyond the end', `feedfeed000000020000000100000001000161${'00'.repeat(8)}7fffffff`, 'truncated'],
    ['a date out of range', `feedfeed000000020000000100000002000161${'7f'.repeat(8)}`, 'bad-value'],
    ['a different file format', '00112233', 'bad-value'],
  ])('is rejected if it has %s', (_, hex, expected) => {
    expect(() => readJks(Uint8Array.fromHex(hex), options)).toThrow(code(expected));
  });

  it('preserves a key that has its own password, and reports this when the key is read', async () => {
    const [mine = expect.unreachable()] = (await readKeyStore(await write('JKS'), { type: 'JKS', password: PASSWORD }))
      .entries;
    const bytes = await writeKeyStore({ type: 'JKS', entries: [mine], others: [] }, { password: 'another', now });
    const [kept] = (await readKeyStore(bytes, { type: 'JKS', password: 'another' })).entries;
    const key = kept?.key ?? expect.unreachable();
    expect(() => keyStorePrivateKey(key, 'another')).toThrow(code('wrong-password'));
    expect(keyStorePrivateKey(key, PASSWORD).equals(leaf.keys.privateKey)).toBe(true);
  });

  it("uses Java's text encoding", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((u) => String.fromCharCode(u)) }),
        (text) => {
          const encoded = encodeModifiedUtf8(text);
          expect(encoded.includes(0)).toBe(false);
          expect(decodeModifiedUtf8(encoded)).toBe(text);
        },
      ),
    );
    for (const hex of ['c3', '80', 'ff', 'e282', 'c341', 'f09f9880'])
      expect(() => decodeModifiedUtf8(Uint8Array.fromHex(hex))).toThrow(code('bad-text'));
  });
});

describe('a PKCS #12 store', () => {
  it('can have multiple keys, each certificate once, and keys without a certificate', async () => {
    const waiting = keyStoreEntry('waits', other.keys.privateKey, []);
    const store = await readKeyStore(await write('PKCS12', [...entries().slice(0, 2), waiting]), {
      type: 'PKCS12',
      password: PASSWORD,
    });
    const bySubject = ['CN=other.example', 'CN=Root'];
    expect(summarize(store)).toEqual([
      ['leaf', true, ['CN=leaf.example', 'CN=Root'], false],
      ['öther', true, bySubject, false],
      // The same key: its certificate is found by public key.
      ['waits', true, bySubject, false],
    ]);
    const { certificates } = await readPkcs12(await write('PKCS12'), { password: PASSWORD, seconds: 10 });
    expect(certificates).toHaveLength(3);
  });

  it('with PBMAC1 (RFC 9579) can be opened with the correct password only', async () => {
    const file = openDer(
      await writePkcs12({
        privateKey: leaf.keys.privateKey.export({ type: 'pkcs8', format: 'der' }),
        chain: [leaf.certificate.der],
        friendlyName: 'x',
        password: PASSWORD,
      }),
    );
    const version = elementBytes(file.next());
    const authSafe = elementBytes(file.next());
    const salt = new Uint8Array(16).fill(7);
    const content = openDer(authSafe);
    content.next();
    const data = elementBytes(content.next()); // [0] around an OCTET STRING, both with a two-byte length.
    const key = pbkdf2Sync(PASSWORD, salt, 2048, 32, 'sha256');
    const mac = createHmac('sha256', key).update(data.subarray(8)).digest();
    const prf = sequence([oidPart(OID.hmacWithSha256), nullPart()]);
    const derivation = [octetStringPart(salt), integerPart(2048), integerPart(32), prf];
    const scheme = sequence([sequence([oidPart(OID.pbkdf2), sequence(derivation)]), prf]);
    const digestInfo = sequence([sequence([oidPart(OID.pbmac1), scheme]), octetStringPart(mac)]);
    const macData = sequence([digestInfo, octetStringPart(new TextEncoder().encode('NOT USED')), integerPart(1)]);
    const bytes = encodeDer(sequence([version, authSafe, macData]));
    const store = await readKeyStore(bytes, { type: 'PKCS12', password: PASSWORD });
    expect(summarize(store)).toEqual([['x', true, ['CN=leaf.example'], false]]);
    await expect(readKeyStore(bytes, { type: 'PKCS12', password: 'wrong' })).rejects.toThrow(code('wrong-password'));
  });

  it('can be empty, but must have a password', async () => {
    const empty = await write('PKCS12', []);
    expect((await readKeyStore(empty, { type: 'PKCS12', password: PASSWORD })).entries).toEqual([]);
    for (const type of TYPES) {
      const unprotected = writeKeyStore({ type, entries: [], others: [] }, { password: '', now });
      await expect(unprotected).rejects.toThrow(/must have a password/);
    }
  });
});

describe.skipIf(!HAS_OPENSSL)(`openssl key stores${OPENSSL_NOTE}`, () => {
  const openssl = opensslFolder();
  afterAll(() => openssl.remove());

  it.each([
    ['current defaults', []],
    ['RC2 with 40 bits, 3DES and a SHA-1 MAC', ['-legacy']],
    ['RC2 with 128 bits', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128']],
  ])('are readable with %s', async (_, options) => {
    openssl.write('leaf.key', await exportPrivateKeyPem(leaf.keys.privateKey));
    openssl.write('leaf.pem', writePem('CERTIFICATE', leaf.certificate.der));
    openssl.write('root.pem', writePem('CERTIFICATE', root.certificate.der));
    const files = ['-inkey', 'leaf.key', '-in', 'leaf.pem', '-certfile', 'root.pem'];
    const names = ['-name', 'öne', '-passout', `pass:${PASSWORD}`, '-out', 'o.p12'];
    openssl.run('pkcs12', '-export', ...files, ...names, ...options);
    const bytes = readFileSync(join(openssl.folder, 'o.p12'));
    const store = await readKeyStore(bytes, { type: 'PKCS12', password: PASSWORD });
    expect(summarize(store)).toEqual([['öne', true, ['CN=leaf.example', 'CN=Root'], false]]);
    expect(keyStorePrivateKey(store.entries[0]?.key ?? expect.unreachable(), '').equals(leaf.keys.privateKey)).toBe(
      true,
    );
    await expect(readKeyStore(bytes, { type: 'PKCS12', password: 'wrong' })).rejects.toThrow(code('wrong-password'));
  });
});

describe.skipIf(!HAS_KEYTOOL)(`our key stores in keytool${KEYTOOL_NOTE}`, () => {
  const keytool = keytoolFolder();
  afterAll(() => keytool.remove());

  it.each(TYPES)('are listed with entries and chains, and their keys open: %s', async (type) => {
    writeFileSync(join(keytool.folder, 'ours'), await write(type));
    const source = ['-keystore', 'ours', '-storetype', type, '-storepass', PASSWORD];
    const list = keytool.run('-list', '-v', ...source);
    const facts = [...list.matchAll(/(?:Alias name|Entry type|Certificate chain length|Owner): (.*)/g)].map(
      ([line]) => line,
    );
    expect(facts.join('\n')).toContain('Entry type: trustedCertEntry\nOwner: CN=Root');
    expect(facts.filter((line) => line.startsWith('Alias'))).toHaveLength(3);
    expect(facts.filter((line) => line.endsWith('PrivateKeyEntry'))).toHaveLength(2);
    expect(facts.filter((line) => line.endsWith('length: 2'))).toHaveLength(2);
    // Copying opens every key.
    const other = type === 'JKS' ? 'PKCS12' : 'JKS';
    const target = ['-destkeystore', `copy-of-${type}`, '-deststoretype', other, '-deststorepass', PASSWORD];
    const from = ['-srckeystore', 'ours', '-srcstoretype', type, '-srcstorepass', PASSWORD];
    keytool.run('-importkeystore', ...from, ...target);
    const copy = readFileSync(join(keytool.folder, `copy-of-${type}`));
    const store = await readKeyStore(copy, { type: other, password: PASSWORD });
    expect(summarize(store)).toEqual(
      expect.arrayContaining([
        ['leaf', true, ['CN=leaf.example', 'CN=Root'], false],
        ['öther', true, ['CN=other.example', 'CN=Root'], false],
        ['trust', false, ['CN=Root'], true],
      ]),
    );
    const { key } = store.entries.find(({ alias }) => alias === 'leaf') ?? expect.unreachable();
    expect(keyStorePrivateKey(key ?? expect.unreachable(), PASSWORD).equals(leaf.keys.privateKey)).toBe(true);
  });
});
