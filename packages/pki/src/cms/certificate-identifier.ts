// Identification of signers and recipients (RFC 5652 §5.3, §6.2.1): by their certificate's issuer and serial number, or
// by its key identifier.
import {
  contentBytes,
  elementBytes,
  expectTag,
  openElement,
  readIntegerBytes,
  type DerElement,
} from '../der/reader.ts';
import { equalNames, parseName } from '../names.ts';
import { DerError } from '../errors.ts';
import { equalBytes } from '../bytes.ts';
import { keyIdentifier } from '../x509/extension-parts.ts';
import { primitive, sequence, type DerPart } from '../der/writer.ts';
import { TAG } from '../der/tags.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { Digest } from '../crypto.ts';

/** `issuer` is an encoded name; `serialBytes` is the serial number as two's complement bytes. */
export type CertificateIdentifier =
  | { readonly kind: 'issuerAndSerial'; readonly issuer: Uint8Array; readonly serialBytes: Uint8Array }
  | { readonly kind: 'subjectKeyIdentifier'; readonly keyIdentifier: Uint8Array };

/** Reads a SignerIdentifier or RecipientIdentifier. Throws `DerError`. */
export function readCertificateIdentifier(element: DerElement): CertificateIdentifier {
  if (element.tag === 0x80) return { kind: 'subjectKeyIdentifier', keyIdentifier: contentBytes(element) };
  return readIssuerAndSerial(element);
}

export function readIssuerAndSerial(element: DerElement): CertificateIdentifier {
  const cursor = openElement(element, TAG.sequence);
  const issuer = cursor.next();
  expectTag(issuer, TAG.sequence);
  const serialBytes = readIntegerBytes(cursor.next());
  cursor.finish();
  return { kind: 'issuerAndSerial', issuer: elementBytes(issuer), serialBytes };
}

/** `keyIdentifierPart` encodes a key identifier, whose form depends on the context. */
export function certificateIdentifierPart(
  identifier: CertificateIdentifier,
  keyIdentifierPart: (identifier: Uint8Array) => DerPart = (octets) => primitive(0x80, octets),
): DerPart {
  if (identifier.kind === 'subjectKeyIdentifier') return keyIdentifierPart(identifier.keyIdentifier);
  return sequence([identifier.issuer, primitive(TAG.integer, identifier.serialBytes)]);
}

/** Identifies a certificate by issuer and serial number, which every implementation supports. */
export const issuerAndSerialOf = (certificate: Certificate): CertificateIdentifier => ({
  kind: 'issuerAndSerial',
  issuer: certificate.issuerDer,
  serialBytes: certificate.serialBytes,
});

/**
 * Identifies a certificate by its subjectKeyIdentifier extension, or by the SHA-1 of its key if there is none (RFC 5280
 * §4.2.1.2).
 */
export const keyIdentifierOf = (certificate: Certificate, digest: Digest): CertificateIdentifier => ({
  kind: 'subjectKeyIdentifier',
  keyIdentifier: certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.publicKey, digest),
});

/** Returns whether the identifier refers to this certificate. Throws `DerError` for a malformed certificate. */
export function identifiesCertificate(
  identifier: CertificateIdentifier,
  certificate: Certificate,
  digest: Digest,
): boolean {
  if (identifier.kind === 'issuerAndSerial')
    return equalBytes(identifier.serialBytes, certificate.serialBytes) && isIssuer(identifier.issuer, certificate);
  const own = keyIdentifierOf(certificate, digest);
  return own.kind === 'subjectKeyIdentifier' && equalBytes(own.keyIdentifier, identifier.keyIdentifier);
}

/**
 * Returns whether the names match. Clients may re-encode a name with string types that differ from the certificate's.
 */
function isIssuer(issuer: Uint8Array, certificate: Certificate): boolean {
  if (equalBytes(issuer, certificate.issuerDer)) return true;
  try {
    return equalNames(parseName(issuer), certificate.issuer);
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
}
