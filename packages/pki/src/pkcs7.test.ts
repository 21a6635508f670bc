import { describe, expect, it } from 'vitest';
import { encodeDer, explicitPart, integerPart, oidPart, sequence, setOf } from './der/writer.ts';
import { issue } from './testing/authority.ts';
import { OID } from './oids.ts';
import { readPkcs7, writePkcs7 } from './pkcs7.ts';

describe('PKCS#7 with certificates only', async () => {
  const issuer = await issue({ subject: 'CN=Root' });
  const root = issuer.certificate;
  const leaf = (await issue({ subject: 'CN=leaf.test', issuer })).certificate;

  it('keeps the certificates and their order', () => {
    const read = readPkcs7(writePkcs7([leaf.der, root.der]));
    expect(read.map((der) => Buffer.from(der))).toEqual([leaf.der, root.der].map((der) => Buffer.from(der)));
  });

  it('reads indefinite lengths, which only BER has', () => {
    const inner = Buffer.concat([
      encodeDer(integerPart(1)),
      encodeDer(setOf([])),
      Buffer.from('3080', 'hex'),
      encodeDer(oidPart(OID.pkcs7Data)),
      Buffer.from('0000', 'hex'),
      Buffer.from('a080', 'hex'),
      leaf.der,
      root.der,
      Buffer.from('0000', 'hex'),
      encodeDer(setOf([])),
    ]);
    const file = Buffer.concat([
      Buffer.from('3080', 'hex'),
      encodeDer(oidPart(OID.pkcs7SignedData)),
      Buffer.from('a0803080', 'hex'),
      inner,
      Buffer.from('000000000000', 'hex'),
    ]);
    expect(readPkcs7(file).map((der) => der.length)).toEqual([leaf.der.length, root.der.length]);
  });

  it('has no certificates when the set is absent', () => {
    const signedData = sequence([integerPart(1), setOf([]), sequence([oidPart(OID.pkcs7Data)]), setOf([])]);
    expect(readPkcs7(encodeDer(sequence([oidPart(OID.pkcs7SignedData), explicitPart(0, signedData)])))).toEqual([]);
  });

  it('names a content type that is not signed data', () => {
    const file = encodeDer(sequence([oidPart(OID.pkcs7EnvelopedData), explicitPart(0, sequence([]))]));
    expect(() => readPkcs7(file)).toThrow(OID.pkcs7EnvelopedData);
  });

  it('refuses every truncation of a file, and nesting without end', () => {
    const file = Buffer.from(writePkcs7([root.der]));
    for (let length = 0; length < file.length; length += 7)
      expect(() => readPkcs7(file.subarray(0, length))).toThrow('not well-formed');
    expect(() => readPkcs7(Buffer.from('3080'.repeat(100_000), 'hex'))).toThrow('not well-formed');
  });

  it.each([
    ['3003020105', 'Another type was expected here (octet 2)'],
    ['300b06092a864886f70d010702', 'A required element is missing (octet 13)'],
    ['300d06092a864886f70d010702a000', 'A required element is missing (octet 15)'],
  ])('refuses what is no signed data: %s', (hex, problem) => {
    expect(() => readPkcs7(Buffer.from(hex, 'hex'))).toThrow(problem);
  });
});
