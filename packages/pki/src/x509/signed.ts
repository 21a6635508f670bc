// Outer structure of certificates, requests and CRLs: to-be-signed bytes, algorithm, signature (RFC 5280 §4.1.1).
import { DerCursor, elementBytes, openDer, readBitStringBytes, type DerElement } from '../der/reader.ts';
import { bitStringPart, encodeDer, sequence, type DerPart } from '../der/writer.ts';
import { equalBytes } from '../bytes.ts';
import { DerError, PkiError } from '../errors.ts';
import { isRsaPkcs1, readAlgorithm, resolveSignatureAlgorithm } from '../algorithms.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier, SignatureAlgorithm } from '../algorithms.ts';
import type { VerifySignature, VerifySignatureAsync } from '../crypto.ts';

export interface SignedObject {
  readonly tbs: DerElement;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/** Opens the outer SEQUENCE of a buffer. Throws `DerError`. */
export function parseSigned(der: Uint8Array): SignedObject {
  const outer = openDer(der);
  const signed = readSigned(outer);
  outer.finish();
  return signed;
}

/** Reads the three members; the caller handles anything that follows (certificates in an OCSP response). */
export function readSigned(outer: DerCursor): SignedObject {
  const tbs = outer.take(TAG.sequence);
  const signatureAlgorithm = readAlgorithm(outer.next());
  const signature = readBitStringBytes(outer.next());
  return { tbs, signatureAlgorithm, signature };
}

/**
 * Checks that the inner algorithm matches the outer one byte for byte (RFC 5280 §4.1.1.2, §5.1.1.2). For RSA, absent
 * and NULL parameters have the same meaning (RFC 4055 §5), so issuers that wrote them on one side only are accepted.
 */
export function expectSameAlgorithm(inner: DerElement, outer: AlgorithmIdentifier): void {
  if (equalBytes(elementBytes(inner), outer.der)) return;
  const { oid, parameters } = readAlgorithm(inner);
  const isSame = oid === outer.oid && isRsaPkcs1(oid) && isNullOrAbsent(parameters) && isNullOrAbsent(outer.parameters);
  if (!isSame) throw new DerError('bad-value', inner.start, 'The inner and outer signature algorithms differ');
}

const isNullOrAbsent = (parameters: DerElement | undefined): boolean =>
  parameters === undefined || (parameters.tag === TAG.null && parameters.content === parameters.end);

/**
 * Assembles the signed object in DER. The algorithm must match the one in the signed bytes, and the signature must
 * cover exactly those bytes.
 */
export function assembleSigned(
  tbs: DerPart,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
): Uint8Array {
  return encodeDer(sequence([tbs, signed.algorithm.der, bitStringPart(signed.signature)]));
}

/** Data required to verify a signature: `Certificate`, `CertificateList` and others provide it. */
export interface Verifiable {
  readonly tbs: Uint8Array;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/**
 * Returns whether the signature verifies with the key in `issuerSpki`. Does not check the issuer's name or permissions;
 * returns false for unsupported algorithms.
 */
export function isSignedBy(object: Verifiable, options: { issuerSpki: Uint8Array; verify: VerifySignature }): boolean {
  const algorithm = supportedAlgorithm(object.signatureAlgorithm);
  if (algorithm === undefined) return false;
  return options.verify(options.issuerSpki, { algorithm, data: object.tbs, signature: object.signature });
}

/** Same as `isSignedBy`, for large objects such as CRLs: runs off the caller's thread if `verify` supports it. */
export async function isSignedByAsync(
  object: Verifiable,
  options: { issuerSpki: Uint8Array; verify: VerifySignatureAsync },
): Promise<boolean> {
  const algorithm = supportedAlgorithm(object.signatureAlgorithm);
  if (algorithm === undefined) return false;
  return options.verify(options.issuerSpki, { algorithm, data: object.tbs, signature: object.signature });
}

function supportedAlgorithm(id: AlgorithmIdentifier): SignatureAlgorithm | undefined {
  try {
    return resolveSignatureAlgorithm(id);
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}
