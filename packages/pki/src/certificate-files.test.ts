import { beforeAll, describe, expect, it } from 'vitest';
import { toBase64 } from './base64.ts';
import { formsOf, readCertificateFile, type CertificateFile } from './certificate-files.ts';
import { encodeDer, integerPart, sequence } from './der/writer.ts';
import { writePem } from './pem.ts';
import { writePkcs7 } from './pkcs7.ts';
import { issue } from './testing/authority.ts';

const LIMITS = { maxEntries: 100 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const numbersOf = ({ certificates, others, unreadable }: CertificateFile) => ({
  certificates: certificates.map(({ number, offset }) => [number, offset]),
  others: others.map(({ number, label }) => [number, label]),
  unreadable: unreadable.map(({ number, label }) => [number, label]),
});

let der: Uint8Array;
let pem: string;
beforeAll(async () => {
  ({ der } = (await issue({ subject: 'CN=file' })).certificate);
  pem = writePem('CERTIFICATE', der);
});

describe('a certificate file', () => {
  it('returns certificates, other blocks and unreadable blocks with their positions', () => {
    const key = writePem('PRIVATE KEY', encodeDer(sequence([integerPart(0)])));
    const broken = '-----BEGIN CERTIFICATE-----\n§\n-----END CERTIFICATE-----\n';
    const text = `${pem}${writePem('PKCS7', writePkcs7([der, der]))}${key}${broken}${pem}-----BEGIN CERTIFICATE-----\nMI`;
    const file = readCertificateFile(text, LIMITS);
    expect(numbersOf(file)).toEqual({
      certificates: [
        [1, 0],
        [2, pem.length],
        [3, pem.length],
        [6, text.lastIndexOf(pem)],
      ],
      others: [[4, 'PRIVATE KEY']],
      unreadable: [
        [5, 'CERTIFICATE'],
        [7, 'CERTIFICATE'],
      ],
    });
    const line = text.slice(0, text.indexOf(broken)).split('\n').length;
    expect(file.unreadable[0]?.reason).toBe(`The "CERTIFICATE" block that starts on line ${line} is not valid Base64.`);
    expect(file.unreadable[1]?.reason).toContain('no matching "-----END CERTIFICATE-----" line');
    expect([file.format, file.isCut]).toEqual(['PEM', false]);
  });

  it('is recognized by its content, as bytes and as text', () => {
    const formatOf = (input: Uint8Array | string) => readCertificateFile(input, LIMITS).format;
    expect([formatOf(der), formatOf(toBase64(der)), formatOf(bytes(toBase64(der)))]).toEqual(['DER', 'DER', 'DER']);
    expect([formatOf(writePkcs7([der])), formatOf(pem), formatOf(bytes(pem))]).toEqual(['PKCS#7', 'PEM', 'PEM']);
    expect(formatOf(bytes(toBase64(bytes(toBase64(der)))))).toBe('DER');
    expect(formatOf(bytes(`0 s:CN = Müller\n${pem}`))).toBe('DER');
  });

  it('that is PKCS #12 or a private key is returned without a label', () => {
    const file = readCertificateFile(encodeDer(sequence([integerPart(3)])), LIMITS);
    expect(numbersOf(file)).toEqual({ certificates: [], others: [[1, undefined]], unreadable: [] });
  });

  it('reports the variants of the file and of each block, each once', () => {
    const padded = new Uint8Array([...der, 0]);
    const wide = new Uint8Array(
      Uint16Array.from(`${writePem('CERTIFICATE', padded)}${pem}`, (c) => c.charCodeAt(0)).buffer,
    );
    const { certificates } = readCertificateFile(wide, LIMITS);
    expect(certificates.map(({ forms }) => forms)).toEqual([['utf-16', 'trailing-bytes'], ['utf-16']]);
    const [found] = certificates;
    expect(formsOf(found ?? expect.unreachable(), { hasEqualAlgorithms: false })).toEqual([
      'utf-16',
      'trailing-bytes',
      'rsa-parameters',
    ]);
  });

  it('is cut after the maximum number of entries', () => {
    const file = readCertificateFile(pem.repeat(9), { maxEntries: 3 });
    expect([file.isCut, file.certificates.length]).toEqual([true, 4]);
    expect(readCertificateFile(pem.repeat(3), { maxEntries: 3 }).isCut).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['other text', 'no certificate'],
    ['Base64 of other text', toBase64(bytes('no certificate at all'))],
    ['Base64 encoded too often', toBase64(bytes(toBase64(bytes(toBase64(bytes(toBase64(bytes('MIIB'))))))))],
  ])('is unreadable as a whole if it is %s', (_what, text) => {
    for (const input of [text, bytes(text)]) {
      const file = readCertificateFile(input, LIMITS);
      expect(numbersOf(file)).toEqual({ certificates: [], others: [], unreadable: [[undefined, undefined]] });
    }
  });

  it.each([
    ['blocks without an end line', '-----BEGIN CERTIFICATE-----\n', 200_000],
    ['blocks with a label without dashes', '-----BEGIN ', 200_000],
    ['line breaks written as characters', String.raw`-----BEGIN A-----\n`, 200_000],
  ])(
    'takes linear time even if it is designed to be expensive: %s',
    (_what, piece, count) => {
      const started = performance.now();
      const file = readCertificateFile(piece.repeat(count), { maxEntries: 1_000_000 });
      expect(file.certificates).toEqual([]);
      expect(file.unreadable.length).toBe(count);
      expect(performance.now() - started).toBeLessThan(10_000); // About a second.
    },
    30_000,
  );
});
