// Certificate identifiers, as used in replacement orders.
import type { X509Certificate } from 'node:crypto';
import { expect } from 'vitest';

/** RFC 9773 §4.1: the issuer's key identifier and the DER bytes of the serial number, in base64url. */
export function certificateId(certificate: X509Certificate): string {
  const { raw, serialNumber } = certificate;
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const serial = Buffer.from(Number.parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex, 'hex');
  // The extension, an OCTET STRING, a SEQUENCE, and [0] with 20 bytes.
  const at = raw.indexOf(Buffer.from('0603551d23', 'hex')) + 5;
  expect(raw.subarray(at, at + 6).toString('hex')).toBe('041830168014');
  return `${raw.subarray(at + 6, at + 26).toString('base64url')}.${serial.toString('base64url')}`;
}
