// Alternative signatures of hybrid certificates (X.509 2019 §7.2.2, §9.8): a second key and signature in extensions, so
// that one certificate works with both old and post-quantum software.
import { DerCursor, elementBytes, explicitContent, openElement, parseDer, readBitStringBytes } from '../der/reader.ts';
import { encodeDer, explicitPart, sequence, type DerPart } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { parseAlgorithm, signatureAlgorithmName } from '../algorithms.ts';
import { parsePublicKey, type PublicKey } from '../keys.ts';
import { isSignedBy } from './signed.ts';
import { TAG } from '../der/tags.ts';
import type { Certificate } from './certificate.ts';
import type { VerifySignature } from '../crypto.ts';

/** Returns the encoded SubjectPublicKeyInfo of the alternative key, or `undefined` if the certificate has none. */
export function alternativeSpki(certificate: Certificate): Uint8Array | undefined {
  return certificate.extensionValue(OID.subjectAltPublicKeyInfo);
}

/** Returns whether a certificate contains an alternative key or signature, even a malformed one. */
export const isHybrid = (certificate: Certificate): boolean =>
  certificate.extensions.some(({ oid }) => oid === OID.subjectAltPublicKeyInfo || oid === OID.altSignatureValue);

/** Returns the alternative key, or `undefined` if the certificate has none. Throws `DerError`. */
export function alternativeKey(certificate: Certificate): PublicKey | undefined {
  const spki = alternativeSpki(certificate);
  return spki && parsePublicKey(spki);
}

/**
 * Returns the name of the alternative signature algorithm, in the form of `Certificate.signatureAlgorithmName`, or
 * `undefined` if there is none. Throws `DerError`.
 */
export function alternativeSignatureAlgorithmName(certificate: Certificate): string | undefined {
  const algorithm = certificate.extensionValue(OID.altSignatureAlgorithm);
  return algorithm && signatureAlgorithmName(parseAlgorithm(algorithm));
}

/**
 * Returns the bytes that the alternative signature covers: the TBSCertificate without its `signature` field and without
 * the extension that contains the alternative signature. Throws `DerError`.
 */
export function alternativeSignedOctets(tbs: Uint8Array): Uint8Array {
  const cursor = openElement(parseDer(tbs), TAG.sequence);
  const version = cursor.optional(0xa0);
  const parts: (DerPart | undefined)[] = [version && elementBytes(version), elementBytes(cursor.take(TAG.integer))];
  cursor.take(TAG.sequence); // Skip the `signature` field.
  while (!cursor.atEnd) {
    const element = cursor.next();
    parts.push(
      element.tag === 0xa3 ? explicitPart(3, withoutAltSignature(explicitContent(element))) : elementBytes(element),
    );
  }
  return encodeDer(sequence(parts));
}

function withoutAltSignature(extensions: Parameters<typeof elementBytes>[0]): DerPart {
  const cursor = openElement(extensions, TAG.sequence);
  const kept: DerPart[] = [];
  while (!cursor.atEnd) {
    const extension = cursor.next();
    if (!isAltSignatureValue(extension)) kept.push(elementBytes(extension));
  }
  return sequence(kept);
}

/** Compares encodings: 2.5.29.74 is 06 03 55 1D 4A. */
function isAltSignatureValue(extension: Parameters<typeof elementBytes>[0]): boolean {
  const oid = elementBytes(new DerCursor(extension).next());
  return oid.toHex() === '0603551d4a';
}

/**
 * Returns whether the certificate is also signed with the issuer's alternative key; `undefined` if there is no
 * alternative signature. Throws `DerError`.
 */
export function isAlternativelySignedBy(
  certificate: Certificate,
  options: { issuerAlternativeSpki: Uint8Array; verify: VerifySignature },
): boolean | undefined {
  const value = certificate.extensionValue(OID.altSignatureValue);
  const algorithm = certificate.extensionValue(OID.altSignatureAlgorithm);
  if (value === undefined || algorithm === undefined) return undefined;
  const signed = {
    tbs: alternativeSignedOctets(certificate.tbs),
    signatureAlgorithm: parseAlgorithm(algorithm),
    signature: readBitStringBytes(parseDer(value)),
  };
  return isSignedBy(signed, { issuerSpki: options.issuerAlternativeSpki, verify: options.verify });
}
