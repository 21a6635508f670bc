// Files as written by third-party tools are read identically by an upload, an import and a file discovery.
import { writePem, writePkcs7 } from '@signetry/pki';
import { readCertificates } from '../../../../../connectors/file-discovery/src/files/read-certificates.ts';
import { expect, it } from 'vitest';
import { readBundle } from '../../inventory/importing/read-bundle.ts';
import { makeCertificate } from '../testing/test-certificates.ts';
import { readUpload } from './read-upload.ts';

const { der } = await makeCertificate('odd');
const pem = writePem('CERTIFICATE', der);
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Trust settings that OpenSSL appends to a certificate trusted for servers (`x509 -trustout -addtrust serverAuth`). */
const TRUST = Buffer.from('300c300a06082b06010505070301', 'hex');

const forms: readonly (readonly [string, Buffer])[] = [
  ['PEM', Buffer.from(pem)],
  ['UTF-16, little endian, with a byte order mark', Buffer.from(`\uFEFF${pem}`, 'utf16le')],
  ['UTF-16, little endian', Buffer.from(pem, 'utf16le')],
  ['UTF-16, big endian, with a byte order mark', utf16be(`\uFEFF${pem}`)],
  ['UTF-16, big endian', utf16be(pem)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${pem}`)],
  ['TRUSTED CERTIFICATE', Buffer.from(writePem('TRUSTED CERTIFICATE', Buffer.concat([der, TRUST])))],
  ['line ends as two characters', Buffer.from(pem.replaceAll('\n', String.raw`\n`))],
  ['CRLF as four characters', Buffer.from(pem.replaceAll('\n', String.raw`\r\n`))],
  ['PKCS#7 under the label of a certificate', Buffer.from(writePem('CERTIFICATE', writePkcs7([der])))],
  ['DER', Buffer.from(der)],
  ['DER with a line end behind it', Buffer.concat([der, Buffer.from('\r\n')])],
  ['DER with zeros behind it', Buffer.concat([der, Buffer.alloc(512)])],
  ['PEM of DER with zeros behind it', Buffer.from(writePem('CERTIFICATE', Buffer.concat([der, Buffer.alloc(3)])))],
];

it.each(forms)('%s is accepted by an upload, an import and a discovery', async (_form, file) => {
  const expected = Buffer.from(der).toString('hex');
  const hex = (octets: Uint8Array | undefined) => Buffer.from(octets ?? []).toString('hex');
  expect(readUpload(file.toString('base64')).map(({ certificate }) => hex(certificate.der))).toEqual([expected]);
  const { found, refused } = readBundle([{ content: file.toString('base64') }], 10);
  expect([found.map((each) => hex(each.der)), refused]).toEqual([[expected], []]);
  expect((await readCertificates(file, [])).certificates.map((each) => hex(each.der))).toEqual([expected]);
});

it.each([
  ['DER with other octets behind it', Buffer.concat([der, Buffer.from('x')])],
  ['half of a certificate', Buffer.from(der.subarray(0, der.length / 2))],
])('%s is rejected', async (_form, file) => {
  expect(() => readUpload(file.toString('base64'))).toThrow();
});
