import { encodeDer, integerPart, OID, oidPart, sequence, writePem } from '@signetry/pki';
import { exportPrivateKeyPem } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../kernel/errors.ts';
import { issuersFirst, principalOf } from './order-certificates.ts';
import { writePkcs7 } from './pkcs7.ts';
import { readCertificate, type ReadCertificate } from '../core/read-certificate.ts';
import { MAX_CERTIFICATES, readUpload } from './read-upload.ts';
import { makeCertificate, makeRoot } from '../testing/test-certificates.ts';

const base64 = (data: string | Uint8Array): string => Buffer.from(data).toString('base64');
const namesOf = (certificates: readonly ReadCertificate[]) => certificates.map(({ facts }) => facts.common_name);

const refusal = (text: string): { code: string; message: string } => {
  try {
    readUpload(text);
  } catch (error) {
    if (isAppError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('It was accepted.');
};

describe('an uploaded file', async () => {
  const root = await makeRoot('Root');
  const between = await makeRoot('Between', { issuer: root });
  const leaf = await makeCertificate('leaf.test', { issuer: between });
  const pkcs7 = writePkcs7([leaf.der, root.der]);

  it.each([
    ['Base64 of DER', leaf.base64],
    ['Base64 of DER with line breaks', leaf.base64.replaceAll(/.{64}/g, '$&\r\n')],
    ['PEM text', leaf.pem],
    ['Base64 of PEM', base64(leaf.pem)],
    ['Base64 of Base64 text', base64(leaf.base64)],
    ['PEM with the old label', writePem('X509 CERTIFICATE', leaf.der)],
    ['PEM with text around it', `subject=leaf\n${leaf.pem}\nend`],
  ])('is read as %s', (_form, text) => {
    expect(namesOf(readUpload(text))).toEqual(['leaf.test']);
  });

  it.each([
    ['Base64 of DER', base64(pkcs7)],
    ['PEM', writePem('PKCS7', pkcs7)],
    ['Base64 of PEM', base64(writePem('PKCS7', pkcs7))],
  ])('gives all certificates of PKCS#7 as %s', (_form, text) => {
    expect(namesOf(readUpload(text))).toEqual(['leaf.test', 'Root']);
  });

  it('gives each certificate of a PEM bundle once', () => {
    expect(namesOf(readUpload(leaf.pem + root.pem + leaf.pem))).toEqual(['leaf.test', 'Root']);
  });

  it('is refused as PKCS#12', () => {
    const file = encodeDer(sequence([integerPart(3), sequence([oidPart(OID.pkcs7Data)])]));
    expect(refusal(base64(file))).toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('PKCS#12'),
    });
  });

  it('is refused with a private key in it, whose type is named', async () => {
    const key = await exportPrivateKeyPem(leaf.keys.privateKey);
    expect(refusal(leaf.pem + key)).toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('PRIVATE KEY'),
    });
  });

  it.each([
    ['nothing', ''],
    ['text', 'this is no certificate'],
    ['Base64 of text', base64('this is no certificate')],
    ['a broken certificate', base64(leaf.der.subarray(0, 100))],
    ['a certificate with octets behind it', base64(Buffer.concat([leaf.der, Buffer.of(0)]))],
    ['an empty PKCS#7', base64(writePkcs7([]))],
    ['a PEM without end', leaf.pem.slice(0, 200)],
  ])('is refused as malformed when it is %s', (_what, text) => {
    expect(refusal(text)).toMatchObject({ code: 'invalid_fields', message: expect.stringMatching(/^certificate: /) });
  });

  it('is refused with more certificates than a bundle has', () => {
    const file = writePkcs7(Array.from({ length: MAX_CERTIFICATES + 1 }, () => leaf.der));
    expect(refusal(base64(file))).toMatchObject({
      code: 'invalid_fields',
      message: expect.stringContaining('more than'),
    });
  });

  it('is refused when it is longer than any file within the bounds, before it is looked at', () => {
    expect(() => readUpload('A'.repeat(8 * 1024 * 1024 + 1))).toThrow(
      expect.objectContaining({
        code: 'invalid_fields',
        parameters: { problems: ['certificate: the file is longer than 8388608 characters'] },
      }),
    );
  });

  it('is refused with a name that no index can hold', async () => {
    const long = await makeCertificate('x'.repeat(2_600));
    expect(refusal(long.base64)).toMatchObject({
      code: 'invalid_fields',
      message: expect.stringContaining('longer than'),
    });
  });

  const read = {
    root: readCertificate(root.der),
    between: readCertificate(between.der),
    leaf: readCertificate(leaf.der),
  };

  it('is about its end entity, or about the last authority of its chain', () => {
    expect(principalOf([read.root, read.between, read.leaf])).toBe(read.leaf);
    expect(principalOf([read.root, read.between])).toBe(read.between);
    expect(principalOf([read.between, read.root])).toBe(read.between);
    expect(principalOf([read.root])).toBe(read.root);
  });

  it('comes in from the root down, whatever its order', () => {
    expect(issuersFirst([read.leaf, read.between, read.root])).toEqual([read.root, read.between, read.leaf]);
    expect(issuersFirst([read.root, read.leaf, read.between])).toEqual([read.root, read.between, read.leaf]);
  });
});
