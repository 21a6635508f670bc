// Bodies of EST messages: PKCS #10 in Base64 or DER, and certificates in Base64 (RFC 7030 §4, RFC 8951 §2).
import { writePkcs7 } from '@signetry/pki';
import { EstRejection } from './rejection.ts';

const SEQUENCE_TAG = 0x30;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const LINE = /.{1,64}/g;

/**
 * Returns the DER encoding of a request. Accepts PEM, Base64 with white space anywhere, and DER, regardless of
 * Content-Transfer-Encoding (RFC 8951 §2.1: it is ignored).
 */
export function requestOctets(body: Uint8Array): Uint8Array {
  if (body[0] === SEQUENCE_TAG && body[1] !== undefined && body[1] >= 0x80) return body;
  const text = Buffer.from(body)
    .toString('latin1')
    .replaceAll(/-----[A-Z0-9 ]*-----/g, '')
    .replaceAll(/\s+/g, '');
  if (text === '') throw new EstRejection(400, 'The body is empty; it must be a Base64-encoded PKCS #10 request.');
  if (!BASE64.test(text))
    throw new EstRejection(400, 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.');
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Returns a certs-only message as lines of Base64. */
export const certificatesBody = (certificates: readonly Uint8Array[]): string => base64Body(writePkcs7(certificates));

export const base64Body = (octets: Uint8Array): string =>
  `${(Buffer.from(octets).toString('base64').match(LINE) ?? []).join('\r\n')}\r\n`;

export const withoutLines = (base64: string): string => base64.replaceAll('\r\n', '');
