// The outer structure of certificates, requests and CRLs: to-be-signed octets, algorithm, signature (RFC 5280
// §4.1.1).
import { DerCursor, elementBytes, openDer, readBitStringBytes, type DerElement } from '../der/reader.ts';
import { bitStringPart, encodeDer, sequence, type DerPart } from '../der/writer.ts';
import { equalBytes } from '../bytes.ts';
import { DerError, PkiError } from '../errors.ts';
import { readAlgorithm, resolveSignatureAlgorithm } from '../algorithms.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier, SignatureAlgorithm } from '../algorithms.ts';
import type { VerifySignature, VerifySignatureAsync } from '../crypto.ts';

export interface Signed {
  readonly tbs: DerElement;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/** Opens the outer SEQUENCE of a buffer. Throws `DerError`. */
export function parseSigned(der: Uint8Array): Signed {
  const outer = openDer(der);
  const signed = readSigned(outer);
  outer.finish();
  return signed;
}

/** Reads the three members; anything that may follow (certificates of an OCSP response) is up to the caller. */
export function readSigned(outer: DerCursor): Signed {
  const tbs = outer.take(TAG.sequence);
  const signatureAlgorithm = readAlgorithm(outer.next());
  const signature = readBitStringBytes(outer.next());
  return { tbs, signatureAlgorithm, signature };
}

/** The algorithm inside must be the one outside, octet by octet (RFC 5280 §4.1.1.2, §5.1.1.2). */
export function expectSameAlgorithm(inner: DerElement, outer: AlgorithmIdentifier): void {
  if (!equalBytes(elementBytes(inner), outer.der)) {
    throw new DerError('bad-value', inner.start, 'The signature algorithms inside and outside differ');
  }
}

/**
 * The whole signed object in DER. The algorithm must be the one inside the signed octets, and the signature over
 * exactly them.
 */
export function assembleSigned(
  tbs: DerPart,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
): Uint8Array {
  return encodeDer(sequence([tbs, signed.algorithm.der, bitStringPart(signed.signature)]));
}

/** What is needed to verify: `Certificate`, `CertificateList` and others have it. */
export interface Verifiable {
  readonly tbs: Uint8Array;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/**
 * Whether the key of `issuerSpki` made the signature. Names and rights of the issuer are not checked; with an
 * unsupported algorithm the answer is false.
 */
export function isSignedBy(object: Verifiable, options: { issuerSpki: Uint8Array; verify: VerifySignature }): boolean {
  const algorithm = supportedAlgorithm(object.signatureAlgorithm);
  if (algorithm === undefined) return false;
  return options.verify(options.issuerSpki, { algorithm, data: object.tbs, signature: object.signature });
}

/** The same for long objects such as CRLs: off the caller's thread if `verify` supports it. */
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
