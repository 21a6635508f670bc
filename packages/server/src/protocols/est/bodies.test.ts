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

describe('the body of a request', () => {
  it.each([
    ['DER', der],
    ['Base64 in one line', octets(base64)],
    ['Base64 in lines of 64 characters (RFC 8951 §2)', octets(lines(64, '\r\n'))],
    ['Base64 in lines of 76 characters', octets(lines(76, '\n'))],
    ['Base64 with a space and a tab', octets(` ${base64.slice(0, 5)}\t${base64.slice(5)}\n\n`)],
    ['PEM', octets(pem('CERTIFICATE REQUEST'))],
    ['PEM with the label of older programs', octets(pem('NEW CERTIFICATE REQUEST'))],
  ])('may be %s', (_form, body) => {
    expect(Buffer.from(requestOctets(body)).equals(der)).toBe(true);
  });

  it.each([
    ['empty', '', 'The body is empty; it must be a PKCS#10 request in Base64.'],
    ['white space only', ' \r\n\t', 'The body is empty; it must be a PKCS#10 request in Base64.'],
    [
      'PEM without content',
      '-----BEGIN X-----\n-----END X-----',
      'The body is empty; it must be a PKCS#10 request in Base64.',
    ],
    ['other characters', 'MIIB*ese', 'The body is neither Base64 nor DER of a PKCS#10 request.'],
    ['Base64 for URLs', 'MIIB-_A', 'The body is neither Base64 nor DER of a PKCS#10 request.'],
    ['filled up with too much', 'MIIB===', 'The body is neither Base64 nor DER of a PKCS#10 request.'],
    ['filled up in the middle', 'MI==IB', 'The body is neither Base64 nor DER of a PKCS#10 request.'],
    ['zeros', '\0\0\0\0', 'The body is neither Base64 nor DER of a PKCS#10 request.'],
    ['DER shorter than any request', '\x30\x03', 'The body is neither Base64 nor DER of a PKCS#10 request.'],
  ])('is refused when it is %s', (_what, body, words) => {
    expect(() => requestOctets(octets(body))).toThrow(
      expect.objectContaining({ name: 'EstRefusal', status: 400, message: words }),
    );
  });

  it('is not taken for DER because Base64 begins with the same character', () => {
    expect(requestOctets(octets('0AAA'))).toEqual(new Uint8Array([0xd0, 0x00, 0x00]));
  });
});

describe('the body of an answer', () => {
  it('is Base64 in lines of at most 64 characters, each with its end', () => {
    expect(base64Body(new Uint8Array(48))).toBe(`${'A'.repeat(64)}\r\n`);
    expect(base64Body(new Uint8Array(49))).toBe(`${'A'.repeat(64)}\r\nAA==\r\n`);
  });

  it('has the same content without lines', () => {
    expect(withoutLines(base64Body(der))).toBe(base64);
  });

  it('holds the certificates in their order and nothing else', async () => {
    const [one, other] = [(await makeRoot('one')).der, (await makeRoot('other')).der];
    const held = readPkcs7(Buffer.from(certificatesBody([one, other]), 'base64'));
    expect(held.map((each) => Buffer.from(each).toString('base64'))).toEqual(
      [one, other].map((each) => Buffer.from(each).toString('base64')),
    );
  });
});
