import { CIPHER_ATTRIBUTES, KeyData, OFFERED_DIGESTS, SIGNATURE_ATTRIBUTES } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { longestPlaintext, readCipherMechanism } from './cipher-mechanism.ts';
import { nonExportableKeyData, publicKeyData, specificationOf } from './key-data.ts';
import { pairSignatures } from './paired-items.ts';
import { readSignatureMechanism } from './signature-mechanism.ts';

const requestAttributes = (values: Record<string, unknown>) =>
  Object.entries(values).map(([name, data]) => ({ name, content: [{ data }] }));
const rsa = { family: 'RSA', name: 'RSA', bits: 2048 };
const ec = { family: 'ECDSA', name: 'ECDSA', bits: 256, curve: 'P-256' };
const { scheme, digest } = SIGNATURE_ATTRIBUTES;

describe('a signature mechanism', () => {
  it.each(OFFERED_DIGESTS)('is read for RSA and ECDSA with %s', (chosen) => {
    const attributes = requestAttributes({ [scheme.name]: 'PSS', [digest.name]: chosen });
    expect(readSignatureMechanism(rsa, attributes)).toEqual({ kind: 'rsa-pss', digest: chosen });
    expect(readSignatureMechanism(ec, attributes.slice(1))).toEqual({ kind: 'ecdsa', digest: chosen });
  });

  it.each(['Ed25519', 'Ed448', 'ML-DSA', 'SLH-DSA'])('is determined by the key for %s', (family) => {
    const key = { family, name: family, bits: 256 };
    expect(readSignatureMechanism(key, [])).toEqual({ kind: 'pure' });
    expect(() => readSignatureMechanism(key, requestAttributes({ [digest.name]: 'SHA-256' }))).toThrow(
      'accepts no attributes',
    );
  });

  it.each([
    ['MD5', 'The digest MD5 (data_sigDigest) is not safe'],
    ['SHA-1', 'The digest SHA-1 (data_sigDigest) is not safe'],
    ['SHA-999', 'Attribute "data_sigDigest" does not offer "SHA-999"'],
    [undefined, 'requires the attribute "data_sigDigest": one of SHA-256'],
  ])('is rejected with the digest %s', (chosen, problem) => {
    expect(() => readSignatureMechanism(ec, requestAttributes({ [digest.name]: chosen }))).toThrow(problem);
  });

  it('is rejected if the key is too small for PSS or cannot be used for signing', () => {
    const attributes = requestAttributes({ [scheme.name]: 'PSS', [digest.name]: 'SHA-512' });
    expect(() => readSignatureMechanism({ ...rsa, bits: 1024 }, attributes)).toThrow('at least 1034 bits');
    expect(readSignatureMechanism({ ...rsa, bits: 1034 }, attributes)).toEqual({ kind: 'rsa-pss', digest: 'SHA-512' });
    expect(() => readSignatureMechanism({ family: 'ML-KEM', name: 'ML-KEM-768', bits: 9472 }, [])).toThrow(
      'Keys of type ML-KEM-768 cannot sign.',
    );
  });
});

describe('a cipher mechanism', () => {
  const oaep = { [CIPHER_ATTRIBUTES.scheme.name]: 'OAEP', [CIPHER_ATTRIBUTES.oaepDigest.name]: 'SHA-384' };

  it('uses MGF1 with SHA-1 unless the OAEP digest is requested for MGF1 as well', () => {
    expect(readCipherMechanism(rsa, requestAttributes(oaep))).toEqual({
      kind: 'rsa-oaep',
      digest: 'SHA-384',
      mgfDigest: 'SHA-1',
    });
    const same = readCipherMechanism(rsa, requestAttributes({ ...oaep, [CIPHER_ATTRIBUTES.oaepMgf.name]: true }));
    expect(same).toEqual({ kind: 'rsa-oaep', digest: 'SHA-384', mgfDigest: 'SHA-384' });
    expect(longestPlaintext(rsa, same)).toBe(256 - 96 - 2);
  });

  it('uses OAEP with SHA-1 only for decryption', () => {
    const { oaepDigest, oaepMgf } = CIPHER_ATTRIBUTES;
    const sha1 = requestAttributes({ ...oaep, [oaepDigest.name]: 'SHA-1', [oaepMgf.name]: true });
    expect(() => readCipherMechanism(rsa, sha1)).toThrow('The digest SHA-1 (data_rsaOaepHash) is not safe');
    const mechanism = readCipherMechanism(rsa, sha1, { decrypts: true });
    expect(mechanism).toEqual({ kind: 'rsa-oaep', digest: 'SHA-1', mgfDigest: 'SHA-1' });
    expect(longestPlaintext(rsa, mechanism)).toBe(256 - 40 - 2);
    const md5 = requestAttributes({ ...oaep, [oaepDigest.name]: 'MD5' });
    expect(() => readCipherMechanism(rsa, md5, { decrypts: true })).toThrow('is not safe');
  });

  it('is rejected if there is no digest, if the key is too small, or if the key cannot encrypt', () => {
    const { oaepDigest } = CIPHER_ATTRIBUTES;
    const without = requestAttributes({ ...oaep, [oaepDigest.name]: undefined });
    expect(() => readCipherMechanism(rsa, without)).toThrow('Encryption with OAEP requires the attribute');
    expect(() => readCipherMechanism({ ...rsa, bits: 512 }, requestAttributes(oaep))).toThrow(
      'requires a longer RSA key;',
    );
    expect(() => readCipherMechanism(ec, requestAttributes(oaep))).toThrow('Keys of type ECDSA cannot encrypt');
    expect(readCipherMechanism({ family: 'AES', name: 'AES-256', bits: 256 }, [])).toEqual({ kind: 'aes-gcm' });
  });
});

describe('key data', () => {
  it('matches the interface and identifies the actual key type', () => {
    const spki = Uint8Array.of(1, 2, 3);
    const data = publicKeyData({ family: 'Ed25519', name: 'Ed25519', bits: 256, spki });
    expect(KeyData.safeParse(data).success).toBe(true);
    expect(data).toMatchObject({ algorithm: 'Unknown', length: 256, value: { value: 'AQID' } });
    expect(data.metadata?.map(({ content }) => content?.[0]?.data)).toEqual(['Ed25519', 'Ed25519']);
    const kept = nonExportableKeyData(ec, { type: 'Private', reference: { key: 'x' } });
    expect(KeyData.safeParse(kept).success).toBe(true);
    expect(kept).toMatchObject({ algorithm: 'ECDSA', format: 'Custom', value: { values: { key: 'x' } } });
    expect([rsa, ec].map(specificationOf)).toEqual(['RSA-2048', 'P-256']);
  });
});

describe('data and signatures', () => {
  const item = (data: string, identifier?: string) => ({ data, ...(identifier ? { identifier } : {}) });

  it('are paired by identifier if all of them have one, otherwise by order', () => {
    expect(pairSignatures([item('a', '1'), item('b', '2')], [item('y', '2'), item('x', '1')])).toEqual([
      { data: 'a', signature: 'x', identifier: '1' },
      { data: 'b', signature: 'y', identifier: '2' },
    ]);
    expect(pairSignatures([item('a', '1'), item('b')], [item('x'), item('y')])).toEqual([
      { data: 'a', signature: 'x', identifier: '1' },
      { data: 'b', signature: 'y' },
    ]);
  });

  it('are rejected if they cannot be paired', () => {
    expect(() => pairSignatures([item('a')], [])).toThrow(
      'The numbers of data items (1) and signatures (0) must be equal.',
    );
    expect(() => pairSignatures([item('a', '1')], [item('x', '2')])).toThrow('No signature has the identifier "1".');
  });
});
