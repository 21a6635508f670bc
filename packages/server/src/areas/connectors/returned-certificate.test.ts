import { writePem } from '@signetry/pki';
import { expect, it } from 'vitest';
import { makeCertificate } from '../certificates/testing/test-certificates.ts';
import { decodeReturnedCertificate } from './returned-certificate.ts';

const { der } = await makeCertificate('found');
const pem = writePem('CERTIFICATE', der);
const base64 = (value: Uint8Array | string) => Buffer.from(value).toString('base64');

it.each([
  ['Base64 of DER', base64(der)],
  ['Base64 with line breaks', base64(der).replaceAll(/(.{64})/g, '$1\n')],
  ['PEM', pem],
  ['Base64 of PEM', base64(pem)],
  ['Base64 of PEM with text before it', base64(`subject=found\r\n${pem}`)],
])('a certificate is read from %s', (_form, text) => {
  expect(Buffer.from(decodeReturnedCertificate(text))).toEqual(Buffer.from(der));
});

it.each(['', 'not base64!', base64('-----BEGIN X-----\nAA==\n-----END X-----')])('%j is left to the parser', (text) => {
  expect(decodeReturnedCertificate(text)).toBeInstanceOf(Uint8Array);
});
