import { encodeDer, integerPart, OID, oidPart, sequence, writePem, writePkcs7 } from '@signetry/pki';
import { exportPrivateKeyPem } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../kernel/errors.ts';
import { orderIssuersFirst, mainCertificateOf } from './order-certificates.ts';
import { readCertificate, type ReadCertificate } from '../read-certificate.ts';
import { MAX_CERTIFICATES, readUpload } from './read-upload.ts';
import { makeCertificate, makeRoot } from '../testing/test-certificates.ts';

const base64 = (data: string | Uint8Array): string => Buffer.from(data).toString('base64');
const namesOf = (certificates: readonly ReadCertificate[]) => certificates.map(({ facts }) => facts.common_name);

const rejectionOf = (text: string): { code: string; message: string } => {
  try {
    readUpload(text);
  } catch (error) {
    if (isAppError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('It was accepted.');
};

/** Builds nested SEQUENCEs, the innermost empty. */
function nested(levels: number): Uint8Array {
  const octets: number[] = [];
  let length = 0;
  for (let level = 0; level < levels; level++) {
    const header = length < 0x80 ? [length] : [0x83, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
    if (header.length > 1) while (header[1] === 0) header.splice(0, 2, (header[0] ?? 0) - 1);
    octets.push(...header.toReversed(), 0x30);
    length += header.length + 1;
  }
  return Uint8Array.from(octets.toReversed());
}

describe('an uploaded file', async () => {
  const root = await makeRoot('Root');
  const between = await makeRoot('Between', { issuer: root });
  const leaf = await makeCertificate('leaf.test', { issuer: between });
  const pkcs7 = writePkcs7([leaf.der, root.der]);

  it.each([
    ['Base64-encoded DER', leaf.base64],
    ['Base64-encoded DER with line breaks', leaf.base64.replaceAll(/.{64}/g, '$&\r\n')],
    ['PEM text', leaf.pem],
    ['Base64-encoded PEM', base64(leaf.pem)],
    ['doubly Base64-encoded DER', base64(leaf.base64)],
    ['PEM with the label X509 CERTIFICATE', writePem('X509 CERTIFICATE', leaf.der)],
    ['PEM with text around it', `subject=leaf\n${leaf.pem}\nend`],
    ['Base64-encoded PEM with UTF-8 text around it', base64(`\ufeffsubject=O = Müller\n${leaf.pem}`)],
  ])('is accepted as %s', (_form, text) => {
    expect(namesOf(readUpload(text))).toEqual(['leaf.test']);
  });

  it.each([
    ['Base64-encoded DER', base64(pkcs7)],
    ['PEM', writePem('PKCS7', pkcs7)],
    ['Base64-encoded PEM', base64(writePem('PKCS7', pkcs7))],
  ])('returns all certificates in PKCS #7 as %s', (_form, text) => {
    expect(namesOf(readUpload(text))).toEqual(['leaf.test', 'Root']);
  });

  it('returns each certificate in a PEM bundle only once', () => {
    expect(namesOf(readUpload(leaf.pem + root.pem + leaf.pem))).toEqual(['leaf.test', 'Root']);
  });

  it('is rejected if it is PKCS #12', () => {
    const file = encodeDer(sequence([integerPart(3), sequence([oidPart(OID.pkcs7Data)])]));
    expect(rejectionOf(base64(file))).toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('the file is PKCS #12 or a private key'),
    });
  });

  it("is rejected if it contains a private key, and the error names the key's PEM label", async () => {
    const key = await exportPrivateKeyPem(leaf.keys.privateKey);
    expect(rejectionOf(leaf.pem + key)).toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('PRIVATE KEY'),
    });
  });

  it.each([
    ['empty', ''],
    ['text', 'this is not a certificate'],
    ['Base64-encoded text', base64('this is not a certificate')],
    ['a broken certificate', base64(leaf.der.subarray(0, 100))],
    ['a certificate followed by other bytes', base64(Buffer.concat([leaf.der, Buffer.of(1)]))],
    ['an empty PKCS #7 file', base64(writePkcs7([]))],
    ['PEM without an end line', leaf.pem.slice(0, 200)],
  ])('is rejected as malformed if it is %s', (_what, text) => {
    expect(rejectionOf(text)).toMatchObject({
      code: 'invalid_fields',
      message: expect.stringMatching(/^certificate: /),
    });
  });

  it.each([
    [
      'bytes after the certificate',
      [...leaf.der, 1],
      `unexpected bytes after the last element (byte ${leaf.der.length})`,
    ],
    [
      'a length that is too long',
      [0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30],
      'the length exceeds the enclosing element (byte 0)',
    ],
    [
      'a length encoding that is not minimal',
      [0x30, 0x81, 0x05, ...leaf.der],
      'the length encoding is not minimal (byte 1)',
    ],
    [
      'too few elements',
      [0x30, 0x04, 0x30, 0x02, 0x05, 0x00],
      'tbscertificate.signature: a required element is missing (byte 6)',
    ],
    ['100 nested levels', [...nested(100)], 'tbscertificate.signature: a required element is missing (byte 236)'],
  ] as const)('is rejected with the reason and the byte offset: %s', (_what, octets, problem) => {
    expect(rejectionOf(base64(Uint8Array.from(octets))).message.toLowerCase()).toContain(`certificate: ${problem}`);
  });

  it('is rejected with the position of the malformed certificate', () => {
    const bad = writePem('CERTIFICATE', leaf.der.subarray(0, 300));
    expect(rejectionOf(root.pem + leaf.pem + bad).message).toContain('certificate 3 of 3: ');
    expect(rejectionOf(base64(writePkcs7([root.der, Uint8Array.of(0x30, 0), leaf.der]))).message).toContain(
      'certificate 2 of 3: tbsCertificate: A required element is missing (byte 2)',
    );
    expect(rejectionOf(`${root.pem}-----BEGIN CERTIFICATE-----\n§\n-----END CERTIFICATE-----\n`).message).toContain(
      `the "CERTIFICATE" block that starts on line ${root.pem.split('\n').length} is not valid Base64`,
    );
    expect(rejectionOf('MII§').message).toContain('the text is not valid Base64 (character 4)');
  });

  it.each([
    ['many PEM blocks', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'.repeat(140_000)],
    ['the same PEM block many times', leaf.pem.repeat(9_000)],
    ['PEM blocks without end lines', '-----BEGIN CERTIFICATE-----\n'.repeat(290_000)],
    ['a PEM block of header lines', `-----BEGIN CERTIFICATE-----\n${'a: b\n'.repeat(1_500_000)}`],
    ['PKCS #7 with the same certificate many times', base64(writePkcs7(Array.from({ length: 9_000 }, () => leaf.der)))],
    ['PKCS #7 of empty elements', base64(writePkcs7(Array.from({ length: 3_000_000 }, () => Uint8Array.of(0x30, 0))))],
    ['PKCS #7 without lengths', base64(Buffer.from('3080'.repeat(1_500_000), 'hex'))],
    ['100,000 nested levels', base64(nested(100_000))],
    ['Base64 encoded four times', base64(base64(base64(leaf.base64)))],
  ])('is rejected within a second if it is designed to be expensive: %s', (_what, text) => {
    const started = performance.now();
    expect(rejectionOf(text)).toMatchObject({ message: expect.stringContaining('certificate: ') });
    // About a hundredth of this on an idle machine.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('is rejected if it has more certificates than a bundle may contain', () => {
    const file = writePkcs7(Array.from({ length: MAX_CERTIFICATES + 1 }, () => leaf.der));
    expect(rejectionOf(base64(file))).toMatchObject({
      code: 'invalid_fields',
      message: expect.stringContaining('more than'),
    });
  });

  it('is rejected before parsing if it exceeds the size limit', () => {
    expect(() => readUpload('A'.repeat(8 * 1024 * 1024 + 1))).toThrow(
      expect.objectContaining({
        code: 'invalid_fields',
        parameters: { problems: ['certificate: the file is longer than 8388608 characters'] },
      }),
    );
  });

  it('is rejected if a name is too long for the index', async () => {
    const long = await makeCertificate('x'.repeat(2_600));
    expect(rejectionOf(long.base64)).toMatchObject({
      code: 'invalid_fields',
      message: expect.stringContaining('longer than'),
    });
  });

  const read = {
    root: readCertificate(root.der),
    between: readCertificate(between.der),
    leaf: readCertificate(leaf.der),
  };

  it('represents its end entity, or else the lowest CA of its chain', () => {
    expect(mainCertificateOf([read.root, read.between, read.leaf])).toBe(read.leaf);
    expect(mainCertificateOf([read.root, read.between])).toBe(read.between);
    expect(mainCertificateOf([read.between, read.root])).toBe(read.between);
    expect(mainCertificateOf([read.root])).toBe(read.root);
  });

  it('is imported from the root down, regardless of its order', () => {
    expect(orderIssuersFirst([read.leaf, read.between, read.root])).toEqual([read.root, read.between, read.leaf]);
    expect(orderIssuersFirst([read.root, read.leaf, read.between])).toEqual([read.root, read.between, read.leaf]);
  });
});
