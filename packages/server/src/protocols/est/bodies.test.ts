import { readPkcs7 } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { base64Body, certificatesBody, requestOctets, withoutLines } from './bodies.ts';
import { requestFor } from './testing/est-requests.ts';

const der = await requestFor('CN=printer-1');
const base64 = Buffer.from(der).toString('base64');
const lines = (length: number, end: string): string =>
  (base64.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).map((line) => `${line}${end}`).join('');
const pem = (label: string): string => `-----BEGIN ${label}-----\n${lines(64, '\n')}-----END ${label}-----\n`;
const octets = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('a request body', () => {
  it.each([
    ['DER', der],
    ['Base64 in one line', octets(base64)],
    ['Base64 in lines of 64 characters (RFC 8951 §2)', octets(lines(64, '\r\n'))],
    ['Base64 in lines of 76 characters', octets(lines(76, '\n'))],
    ['Base64 with a space and a tab', octets(` ${base64.slice(0, 5)}\t${base64.slice(5)}\n\n`)],
    ['PEM', octets(pem('CERTIFICATE REQUEST'))],
    ['PEM with the label of older programs', octets(pem('NEW CERTIFICATE REQUEST'))],
  ])('can be %s', (_form, body) => {
    expect(Buffer.from(requestOctets(body)).equals(der)).toBe(true);
  });

  it.each([
    ['empty', '', 'The body is empty; it must be a Base64-encoded PKCS #10 request.'],
    ['white space only', ' \r\n\t', 'The body is empty; it must be a Base64-encoded PKCS #10 request.'],
    [
      'PEM without content',
      '-----BEGIN X-----\n-----END X-----',
      'The body is empty; it must be a Base64-encoded PKCS #10 request.',
    ],
    ['other characters', 'MIIB*ese', 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.'],
    ['Base64 for URLs', 'MIIB-_A', 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.'],
    ['filled up with too much', 'MIIB===', 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.'],
    ['filled up in the middle', 'MI==IB', 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.'],
    ['zeros', '\0\0\0\0', 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.'],
    [
      'DER shorter than any request',
      '\x30\x03',
      'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.',
    ],
  ])('is rejected if it is %s', (_what, body, words) => {
    expect(() => requestOctets(octets(body))).toThrow(
      expect.objectContaining({ name: 'EstRejection', status: 400, message: words }),
    );
  });

  it('is not mistaken for DER if its Base64 text begins with the same character', () => {
    expect(requestOctets(octets('0AAA'))).toEqual(new Uint8Array([0xd0, 0x00, 0x00]));
  });
});

describe('a response body', () => {
  it('is Base64 text with lines of at most 64 characters, each ending with a line break', () => {
    expect(base64Body(new Uint8Array(48))).toBe(`${'A'.repeat(64)}\r\n`);
    expect(base64Body(new Uint8Array(49))).toBe(`${'A'.repeat(64)}\r\nAA==\r\n`);
  });

  it('has the same content if the line breaks are removed', () => {
    expect(withoutLines(base64Body(der))).toBe(base64);
  });

  it('contains only the certificates, in order', async () => {
    const [one, other] = [(await makeRoot('one')).der, (await makeRoot('other')).der];
    const held = readPkcs7(Buffer.from(certificatesBody([one, other]), 'base64'));
    expect(held.map((each) => Buffer.from(each).toString('base64'))).toEqual(
      [one, other].map((each) => Buffer.from(each).toString('base64')),
    );
  });
});
