import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrivateKey } from 'node:crypto';
import { pkcs12Identity, readPkcs12 } from '../node/index.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { readPem } from '../pem.ts';
import { DAY_MS, issue, type TestEntity } from '../testing/authority.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from '../testing/openssl.ts';
import { writePkcs12 } from './writer.ts';

const PASSWORD = 'pässword €';
let root: TestEntity;
let leaf: TestEntity;
let file: Uint8Array;
const pkcs8 = ({ keys }: TestEntity) => keys.privateKey.export({ format: 'der', type: 'pkcs8' });

beforeAll(async () => {
  root = await issue({ subject: 'CN=Written Root', notAfterMs: Date.now() + DAY_MS });
  leaf = await issue({ subject: 'CN=written.example', issuer: root, spec: 'P-384', notAfterMs: Date.now() + DAY_MS });
  file = await writePkcs12({
    privateKey: pkcs8(leaf),
    chain: [leaf.certificate.der, root.certificate.der],
    friendlyName: 'Müller *.example',
    password: PASSWORD,
  });
});

describe('a generated PKCS #12 file', () => {
  it('round-trips with the key, its certificate, the chain and their association', async () => {
    const contents = await readPkcs12(file, { password: PASSWORD });
    const { privateKey, chain } = pkcs12Identity(contents);
    expect(privateKey.equals(leaf.keys.privateKey)).toBe(true);
    expect(chain.map(({ der }) => der.toHex())).toEqual([leaf, root].map(({ certificate }) => certificate.der.toHex()));
    expect(contents.keys[0]).toMatchObject({
      friendlyName: 'Müller *.example',
      localKeyId: contents.certificates[0]?.localKeyId,
    });
    expect(contents.certificates.map(({ localKeyId }) => localKeyId?.length)).toEqual([64, undefined]);
  });

  it('is rejected if the password is wrong or a byte has been modified', async () => {
    const refusal = expect.objectContaining({ code: 'wrong-password' });
    await expect(readPkcs12(file, { password: `${PASSWORD} ` })).rejects.toThrow(refusal);
    const changed = Uint8Array.from(file);
    changed[200] = (changed[200] ?? 0) ^ 1;
    await expect(readPkcs12(changed, { password: PASSWORD })).rejects.toThrow(refusal);
  });

  it('requires a password and a certificate', async () => {
    const input = { privateKey: pkcs8(leaf), chain: [leaf.certificate.der], friendlyName: 'x', password: 'x' };
    await expect(writePkcs12({ ...input, password: '' })).rejects.toThrow(/must have a password/);
    await expect(writePkcs12({ ...input, chain: [] })).rejects.toThrow(
      /A PKCS #12 file must contain the certificate for its key\./,
    );
  });
});

describe.skipIf(!HAS_OPENSSL)(`a generated PKCS #12 file in openssl${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
    openssl.write('w.p12', file);
  });
  afterAll(() => openssl.remove());

  it('can be opened, and contains the key and the chain', () => {
    const text = openssl.run('pkcs12', '-in', 'w.p12', '-passin', `pass:${PASSWORD}`, '-nodes');
    const blocks = readPem(text);
    expect(blocks.map(({ label }) => label).sort()).toEqual(['CERTIFICATE', 'CERTIFICATE', 'PRIVATE KEY']);
    const key = blocks.find(({ label }) => label === 'PRIVATE KEY')?.der ?? expect.unreachable('it is among them');
    expect(createPrivateKey({ key: Buffer.from(key), format: 'der', type: 'pkcs8' }).equals(leaf.keys.privateKey)).toBe(
      true,
    );
    const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ der }) => parseCertificate(der));
    expect(certificates.map(({ serialNumber }) => serialNumber)).toEqual([
      leaf.certificate.serialNumber,
      root.certificate.serialNumber,
    ]);
  });

  it('does not open with a wrong password', () => {
    expect(() => openssl.run('pkcs12', '-in', 'w.p12', '-passin', 'pass:wrong', '-noout')).toThrow(/password/i);
  });
});
