import { describe, expect, it } from 'vitest';
import { encodeDer, explicitPart, integerPart, oidPart, sequence, setOf } from './der/writer.ts';
import { issue } from './testing/authority.ts';
import { OID } from './oids.ts';
import { readPkcs7, writePkcs7 } from './pkcs7.ts';

describe('a certificates-only PKCS #7 file', async () => {
  const issuer = await issue({ subject: 'CN=Root' });
  const root = issuer.certificate;
  const leaf = (await issue({ subject: 'CN=leaf.test', issuer })).certificate;

  it('preserves the certificates and their order', () => {
    const read = readPkcs7(writePkcs7([leaf.der, root.der]));
    expect(read.map((der) => Buffer.from(der))).toEqual([leaf.der, root.der].map((der) => Buffer.from(der)));
  });

  it('can have indefinite lengths, which only BER allows', () => {
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

  it('yields no certificates if the set is absent', () => {
    const signedData = sequence([integerPart(1), setOf([]), sequence([oidPart(OID.pkcs7Data)]), setOf([])]);
    expect(readPkcs7(encodeDer(sequence([oidPart(OID.pkcs7SignedData), explicitPart(0, signedData)])))).toEqual([]);
  });

  it('is rejected with an error that names its content type if it is not signed data', () => {
    const file = encodeDer(sequence([oidPart(OID.pkcs7EnvelopedData), explicitPart(0, sequence([]))]));
    expect(() => readPkcs7(file)).toThrow(OID.pkcs7EnvelopedData);
  });

  it('is rejected if it is truncated anywhere or endlessly nested', () => {
    const file = Buffer.from(writePkcs7([root.der]));
    for (let length = 0; length < file.length; length += 7)
      expect(() => readPkcs7(file.subarray(0, length))).toThrow('The encoding is malformed:');
    expect(() => readPkcs7(Buffer.from('3080'.repeat(100_000), 'hex'))).toThrow('The encoding is malformed:');
  });

  it.each([
    ['3003020105', 'The element has an unexpected type (byte 2)'],
    ['300b06092a864886f70d010702', 'A required element is missing (byte 13)'],
    ['300d06092a864886f70d010702a000', 'A required element is missing (byte 15)'],
  ])('is rejected if it is not well-formed signed data: %s', (hex, problem) => {
    expect(() => readPkcs7(Buffer.from(hex, 'hex'))).toThrow(problem);
  });
});
