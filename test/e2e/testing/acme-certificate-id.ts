// Identifiers of certificates, as orders that replace them name them.
import type { X509Certificate } from 'node:crypto';
import { expect } from 'vitest';

/** RFC 9773 §4.1: key identifier of the issuer and serial number as DER holds them, in base64url. */
export function certificateId(certificate: X509Certificate): string {
  const { raw, serialNumber } = certificate;
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const serial = Buffer.from(Number.parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex, 'hex');
  // the extension, an OCTET STRING, a SEQUENCE, [0] with 20 octets
  const at = raw.indexOf(Buffer.from('0603551d23', 'hex')) + 5;
  expect(raw.subarray(at, at + 6).toString('hex')).toBe('041830168014');
  return `${raw.subarray(at + 6, at + 26).toString('base64url')}.${serial.toString('base64url')}`;
}
