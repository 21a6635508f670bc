// Certificate identifiers for renewal information (RFC 9773 §4.1): the issuer's key identifier and the serial number,
// both in base64url, joined by a period. Pure.
import { formatSerialNumber, type Certificate } from '@signetry/pki';

export interface CertificateId {
  readonly keyIdentifier: Uint8Array;
  /** Serial number in the format used by the inventory. */
  readonly serialNumber: string;
}

const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** Serial numbers are at most 20 bytes long (RFC 5280 §4.1.2.2), plus a sign byte that some issuers add. */
const MAX_SERIAL_OCTETS = 21;
const MAX_KEY_IDENTIFIER_OCTETS = 64;

/** Parses a certificate identifier; returns undefined if it is malformed. */
export function readCertificateId(text: string): CertificateId | undefined {
  const [key = '', serial = '', ...rest] = text.split('.');
  if (rest.length > 0 || !BASE64URL.test(key) || !BASE64URL.test(serial)) return undefined;
  const keyIdentifier = Buffer.from(key, 'base64url');
  const octets = Buffer.from(serial, 'base64url');
  if (keyIdentifier.length > MAX_KEY_IDENTIFIER_OCTETS || octets.length > MAX_SERIAL_OCTETS) return undefined;
  // Each certificate has exactly one identifier, so other encodings of its serial number are rejected.
  if (octets.toString('base64url') !== serial || !isMinimal(octets)) return undefined;
  return { keyIdentifier, serialNumber: formatSerialNumber(octets) };
}

/** Returns whether the bytes are the contents of an INTEGER in DER (X.690 §8.3.2). */
function isMinimal(octets: Uint8Array): boolean {
  const [first, second] = octets;
  if (first === undefined || second === undefined) return first !== undefined;
  // The first nine bits must not all be equal.
  return !((first === 0x00 && second < 0x80) || (first === 0xff && second >= 0x80));
}

export function isNamedBy(certificate: Certificate, { keyIdentifier }: CertificateId): boolean {
  const own = certificate.authorityKeyIdentifier?.keyIdentifier;
  return own !== undefined && Buffer.from(own).equals(keyIdentifier);
}
