import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createNodeCrypto, nodeCrypto } from './crypto.ts';
import { DAY_MS, issue, testKeys, type TestEntity } from '../testing/authority.ts';
import { encodeDer, integerPart, nullPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { encryptPrivateKeyInfo } from './pbe.ts';
import { exportPrivateKey, exportPrivateKeyPem, generateKeyPair, importPrivateKey } from './keys.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from '../testing/openssl.ts';
import { OID } from '../oids.ts';
import { pkcs12Identity, readPkcs12 } from './pkcs12.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureAlgorithm, SIGNATURE_ALGORITHM_NAMES } from '../algorithms.ts';
import { writePem } from '../pem.ts';

const data = new TextEncoder().encode('to be signed');
const specOf = (name: string): Parameters<typeof testKeys>[0] | undefined => {
  if (/withRSA/.test(name)) return 'RSA-2048';
  if (/withECDSA/.test(name)) return 'P-384';
  return name === 'Ed25519' || name === 'Ed448' || name === 'ML-DSA-44' || name === 'ML-DSA-65' || name === 'ML-DSA-87'
    ? name
    : undefined;
};

describe('signing and verification', () => {
  const names = SIGNATURE_ALGORITHM_NAMES.filter((name) => specOf(name) !== undefined);

  it.each(names)('%s verifies its own signatures, synchronously and on the thread pool', async (name) => {
    const { privateKey, spki } = await testKeys(specOf(name) ?? 'P-256');
    const algorithm = signatureAlgorithm(name);
    for (const signature of [
      nodeCrypto.sign(privateKey, { algorithm, data }),
      await nodeCrypto.signAsync(privateKey, { algorithm, data }),
    ]) {
      expect(nodeCrypto.verify(spki, { algorithm, data, signature })).toBe(true);
      expect(nodeCrypto.verify(spki, { algorithm, data: Uint8Array.of(1), signature })).toBe(false);
      expect(nodeCrypto.verify(spki, { algorithm, data, signature: signature.subarray(1) })).toBe(false);
      expect(await nodeCrypto.verifyAsync(spki, { algorithm, data, signature })).toBe(true);
      expect(await nodeCrypto.verifyAsync(spki, { algorithm, data: Uint8Array.of(1), signature })).toBe(false);
      expect(await nodeCrypto.verifyAsync(spki, { algorithm, data, signature: signature.subarray(1) })).toBe(false);
      expect(await nodeCrypto.verifyAsync(Uint8Array.of(1), { algorithm, data, signature })).toBe(false);
    }
  });

  it('hashing long input in slices yields the same digest', async () => {
    for (const length of [0, 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20]) {
      const octets = new Uint8Array(length).fill(length % 251);
      expect(await nodeCrypto.digestInSlices('sha256', octets)).toEqual(nodeCrypto.digest('sha256', octets));
    }
  });

  it('an RSA signature is as long as the modulus, even if it starts with zeros', async () => {
    const { privateKey, spki } = await testKeys('RSA-2048');
    const algorithm = signatureAlgorithm('SHA256withRSAandMGF1');
    let signature = nodeCrypto.sign(privateKey, { algorithm, data });
    while (signature[0] !== 0) signature = nodeCrypto.sign(privateKey, { algorithm, data });
    expect(nodeCrypto.verify(spki, { algorithm, data, signature })).toBe(true);
    expect(nodeCrypto.verify(spki, { algorithm, data, signature: signature.subarray(1) })).toBe(false);
  });

  it('SLH-DSA verifies a signature created by Node.js', () => {
    const { privateKey, publicKey } = generateKeyPairSync('slh-dsa-sha2-128f');
    const algorithm = signatureAlgorithm('SLH-DSA-SHA2-128F');
    const signature = nodeCrypto.sign(privateKey, { algorithm, data });
    expect(nodeCrypto.verify(publicKey.export({ type: 'spki', format: 'der' }), { algorithm, data, signature })).toBe(
      true,
    );
  });

  it('a key cannot be used with an algorithm of a different kind', async () => {
    const algorithm = signatureAlgorithm('SHA256withRSA');
    const rsa = await testKeys('RSA-2048');
    const signature = nodeCrypto.sign(rsa.privateKey, { algorithm, data });
    for (const other of ['SHA256withECDSA', 'Ed25519', 'ML-DSA-65', 'SHA256withRSAandMGF1', 'SHA256withDSA']) {
      expect(nodeCrypto.verify(rsa.spki, { algorithm: signatureAlgorithm(other), data, signature })).toBe(false);
    }
    const { privateKey } = await testKeys('P-256');
    expect(() => nodeCrypto.sign(privateKey, { algorithm, data })).toThrow(
      expect.objectContaining({ code: 'bad-key' }),
    );
    await expect(
      nodeCrypto.signAsync(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), { algorithm, data }),
    ).rejects.toThrow(/does not match/);
    expect(() => nodeCrypto.sign(createPublicKey(rsa.privateKey), { algorithm, data })).toThrow(/does not match/);
  });

  it('bytes that are not a key never verify, and the cache does not exceed its limit', async () => {
    const crypto = createNodeCrypto({ maxCachedKeys: 2 });
    const algorithm = signatureAlgorithm('Ed25519');
    expect(crypto.verify(Uint8Array.of(1, 2, 3), { algorithm, data, signature: new Uint8Array(64) })).toBe(false);
    for (let round = 0; round < 5; round++) {
      const { privateKey, spki } = await generateKeyPair('Ed25519');
      const signature = crypto.sign(privateKey, { algorithm, data });
      for (const instance of [crypto, createNodeCrypto({ maxCachedKeys: 0 })]) {
        expect(instance.verify(spki, { algorithm, data, signature })).toBe(true);
        expect(instance.verify(spki, { algorithm, data, signature })).toBe(true);
      }
    }
  });

  it('digests match known values', () => {
    expect(nodeCrypto.sha256(new Uint8Array()).toHex()).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(nodeCrypto.sha1(new Uint8Array()).toHex()).toBe('da39a3ee5e6b4b0d3255bfef95601890afd80709');
    expect(nodeCrypto.digest('sha3-256', new Uint8Array()).constructor).toBe(Uint8Array);
  });
});

describe('private keys', () => {
  it.each(['P-256', 'RSA-2048', 'Ed448', 'ML-DSA-65'] as const)(
    '%s keys can be exported and imported, both unencrypted and encrypted',
    async (spec) => {
      const { privateKey } = await testKeys(spec);
      expect((await importPrivateKey(exportPrivateKey(privateKey))).equals(privateKey)).toBe(true);
      expect((await importPrivateKey(await exportPrivateKeyPem(privateKey))).equals(privateKey)).toBe(true);
      const pem = await exportPrivateKeyPem(privateKey, { password: 'pässword' });
      expect(pem).toContain('ENCRYPTED PRIVATE KEY');
      expect((await importPrivateKey(pem, { password: 'pässword' })).equals(privateKey)).toBe(true);
      expect((await importPrivateKey(new TextEncoder().encode(pem), { password: 'pässword' })).equals(privateKey)).toBe(
        true,
      );
      await expect(importPrivateKey(pem, { password: 'wrong' })).rejects.toThrow(
        expect.objectContaining({ code: 'wrong-password' }),
      );
      await expect(importPrivateKey(pem)).rejects.toThrow(expect.objectContaining({ code: 'encrypted' }));
      expect(createPrivateKey({ key: pem, passphrase: 'pässword' }).equals(privateKey)).toBe(true);
    },
  );

  it('ML-DSA keys are exported as their seed, not as an expanded key of several kilobytes', async () => {
    const { privateKey } = await testKeys('ML-DSA-44');
    expect(exportPrivateKey(privateKey).length).toBeLessThan(100);
  });

  it('PKCS #1 and SEC 1 keys are accepted, in PEM and DER', async () => {
    for (const [spec, type] of [
      ['RSA-2048', 'pkcs1'],
      ['P-256', 'sec1'],
    ] as const) {
      const { privateKey } = await testKeys(spec);
      const pem = privateKey.export({ type, format: 'pem' }).toString();
      expect((await importPrivateKey(pem)).equals(privateKey)).toBe(true);
      expect((await importPrivateKey(privateKey.export({ type, format: 'der' }))).equals(privateKey)).toBe(true);
    }
  });

  it.each([
    ['a PEM file without a key', writePem('CERTIFICATE', Uint8Array.of(1)), 'bad-pem'],
    ['garbage in a key block', writePem('PRIVATE KEY', Uint8Array.of(0x30, 0)), 'bad-key'],
    [
      'the traditional OpenSSL format',
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES-CBC,00\n\nAQID\n-----END RSA PRIVATE KEY-----',
      'unsupported-algorithm',
    ],
  ])('%s is rejected', async (_, pem, code) => {
    await expect(importPrivateKey(pem, { password: 'x' })).rejects.toThrow(expect.objectContaining({ code }));
  });

  const encryptedKeyInfo = (
    derivation: Parameters<typeof sequence>[0][number],
    cipher: string = OID.aes256Cbc,
  ): Uint8Array =>
    encodeDer(
      sequence([
        sequence([
          oidPart(OID.pbes2),
          sequence([derivation, sequence([oidPart(cipher), octetStringPart(new Uint8Array(16))])]),
        ]),
        octetStringPart(new Uint8Array(32)),
      ]),
    );
  const salt = octetStringPart(new Uint8Array(8));

  it.each([
    [
      'PBKDF2 with 2^31 iterations',
      encryptedKeyInfo(sequence([oidPart(OID.pbkdf2), sequence([salt, integerPart(2 ** 31)])])),
      'bound-exceeded',
    ],
    [
      'PBKDF2 without iterations',
      encryptedKeyInfo(sequence([oidPart(OID.pbkdf2), sequence([salt, integerPart(0)])])),
      'bound-exceeded',
    ],
    [
      'scrypt with 1 GiB',
      encryptedKeyInfo(
        sequence([oidPart(OID.scrypt), sequence([salt, integerPart(2 ** 20), integerPart(8), integerPart(1)])]),
      ),
      'bound-exceeded',
    ],
    [
      'a key length that does not match the cipher',
      encryptedKeyInfo(sequence([oidPart(OID.pbkdf2), sequence([salt, integerPart(1), integerPart(16)])])),
      'bad-value',
    ],
    [
      'RC2',
      encryptedKeyInfo(sequence([oidPart(OID.pbkdf2), sequence([salt, integerPart(1)])]), OID.rc2Cbc),
      'unsupported-algorithm',
    ],
    [
      'an unknown key derivation function',
      encryptedKeyInfo(sequence([oidPart('1.2.3'), nullPart()])),
      'unsupported-algorithm',
    ],
  ])('%s is rejected before any computation', async (_, der, code) => {
    const started = performance.now();
    await expect(importPrivateKey(der, { password: 'x' })).rejects.toThrow(expect.objectContaining({ code }));
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe.skipIf(!HAS_OPENSSL)(`openssl files${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  let root: TestEntity;
  let issuing: TestEntity;

  beforeAll(async () => {
    openssl = opensslFolder();
    root = await issue({ subject: 'CN=P12 Root', notAfterMs: Date.now() + DAY_MS });
    issuing = await issue({ subject: 'CN=P12 Issuing', issuer: root, notAfterMs: Date.now() + DAY_MS });
    openssl.write('root.pem', writePem('CERTIFICATE', root.certificate.der));
    openssl.write('ca.pem', writePem('CERTIFICATE', issuing.certificate.der));
    openssl.write('ca.key', await exportPrivateKeyPem(issuing.keys.privateKey));
  });
  afterAll(() => openssl.remove());

  const exportFile = (password: string, ...options: string[]): Uint8Array => {
    openssl.run(
      'pkcs12',
      '-export',
      '-inkey',
      'ca.key',
      '-in',
      'ca.pem',
      '-certfile',
      'root.pem',
      '-name',
      'Müller CA',
      '-passout',
      `pass:${password}`,
      '-out',
      'x.p12',
      ...options,
    );
    return readFileSync(join(openssl.folder, 'x.p12'));
  };

  it.each([
    ['its defaults (AES-256, PBKDF2, SHA-256 MAC)', []],
    ['many iterations', ['-iter', '20000']],
    [
      '3DES and a SHA-1 MAC, as in older systems',
      ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
    ],
    ['a SHA-512 MAC', ['-macalg', 'sha512', '-keypbe', 'AES-128-CBC', '-certpbe', 'AES-192-CBC']],
    ['unencrypted certificates', ['-certpbe', 'NONE']],
    ['no MAC', ['-nomac']],
  ])('a PKCS #12 file with %s yields its key and chain', async (_, options) => {
    for (const password of ['pässword €', '']) {
      const contents = await readPkcs12(exportFile(password, ...options), { password });
      expect(contents.keys.map(({ friendlyName }) => friendlyName)).toEqual(['Müller CA']);
      expect(contents.keys[0]?.localKeyId).toBe(contents.certificates[0]?.localKeyId);
      const { privateKey, chain } = pkcs12Identity(contents);
      expect(privateKey.equals(issuing.keys.privateKey)).toBe(true);
      expect(chain.map(({ serialNumber }) => serialNumber)).toEqual([
        issuing.certificate.serialNumber,
        root.certificate.serialNumber,
      ]);
    }
  });

  it('a file with too many iterations in total is rejected after at most one second of CPU time', async () => {
    const old = ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'];
    const file = exportFile('x', '-iter', '400000', ...old);
    const before = process.cpuUsage();
    await expect(readPkcs12(file, { password: 'x' })).rejects.toThrow(
      expect.objectContaining({ code: 'bound-exceeded' }),
    );
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2); // Half a second; the whole file would take three.
  });

  it('a wrong password or a modified file is distinguished from other errors', async () => {
    const der = exportFile('right');
    await expect(readPkcs12(der, { password: 'wrong' })).rejects.toThrow(
      expect.objectContaining({ code: 'wrong-password' }),
    );
    await expect(readPkcs12(exportFile('right', '-nomac'), { password: 'wrong' })).rejects.toThrow(
      expect.objectContaining({ code: 'wrong-password' }),
    );
    const changed = Uint8Array.from(der);
    changed[200] = (changed[200] ?? 0) ^ 1;
    await expect(readPkcs12(changed, { password: 'right' })).rejects.toThrow(
      expect.objectContaining({ code: 'wrong-password' }),
    );
  });

  it('RC4 is named in the error that rejects it', async () => {
    openssl.run(
      'pkcs12',
      '-export',
      '-legacy',
      '-certpbe',
      'PBE-SHA1-RC4-40',
      '-inkey',
      'ca.key',
      '-in',
      'ca.pem',
      '-passout',
      'pass:x',
      '-out',
      'rc4.p12',
    );
    await expect(readPkcs12(readFileSync(join(openssl.folder, 'rc4.p12')), { password: 'x' })).rejects.toThrow(
      /RC4 with 40 bits/,
    );
  });

  it('files without a key, or with the key of a different certificate, yield no identity', async () => {
    openssl.run('pkcs12', '-export', '-nokeys', '-in', 'ca.pem', '-passout', 'pass:x', '-out', 'n.p12');
    const contents = await readPkcs12(readFileSync(join(openssl.folder, 'n.p12')), { password: 'x' });
    expect(() => pkcs12Identity(contents)).toThrow(/0 private keys/);
    const keys = (await readPkcs12(exportFile('x'), { password: 'x' })).keys;
    expect(() =>
      pkcs12Identity({
        keys,
        certificates: [{ certificate: root.certificate, friendlyName: undefined, localKeyId: undefined }],
      }),
    ).toThrow(/does not contain a certificate for its private key/);
  });

  it.each([
    ['aes-256-cbc', []],
    ['aes-128-cbc', ['-v2prf', 'hmacWithSHA512', '-iter', '100000']],
    ['des3', []],
    ['aes256', ['-scrypt']],
  ])('an encrypted PKCS #8 key with %s can be opened', async (cipher, options) => {
    openssl.run(
      'pkcs8',
      '-topk8',
      '-in',
      'ca.key',
      '-v2',
      cipher,
      ...options,
      '-passout',
      'pass:geheim',
      '-out',
      'e.pem',
    );
    const key = await importPrivateKey(readFileSync(join(openssl.folder, 'e.pem')), { password: 'geheim' });
    expect(key.equals(issuing.keys.privateKey)).toBe(true);
  });

  it('keys that we encrypt can be opened', async () => {
    const pkcs8 = exportPrivateKey(issuing.keys.privateKey);
    openssl.write('ours.pem', writePem('ENCRYPTED PRIVATE KEY', await encryptPrivateKeyInfo(pkcs8, 'geheim')));
    expect(openssl.run('pkey', '-in', 'ours.pem', '-passin', 'pass:geheim')).toContain('PRIVATE KEY');
  });
});
