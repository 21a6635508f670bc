// certHash of a certificate confirmation (RFC 9810 §5.3.18, RFC 9481 §3.3): the certificate's hash, computed with the
// digest of its signature algorithm.
import { digestAlgorithmPart, digestFromOid, resolveSignatureAlgorithm, type DigestName } from '../algorithms.ts';
import { encodeDer } from '../der/writer.ts';
import { equalBytes } from '../bytes.ts';
import { PkiError } from '../errors.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';
import type { CertConfirmation } from './body.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { Digest } from '../crypto.ts';

/** SHAKE256 output length for Ed448, in bytes. */
const SHAKE256_OCTETS = 64;

export interface CertificateHashFunctions {
  readonly digest: Digest;
  /** SHAKE256 with an output of `length` bytes. */
  readonly shake256: (data: Uint8Array, length: number) => Uint8Array;
}

/**
 * Returns the digest that a confirmation must specify, or undefined if the certificate's signature algorithm or RFC
 * 9481 §3.3 (for EdDSA) determines it. Returns SHA-512 for ML-DSA and SLH-DSA, which require CMP version 3. Throws
 * `PkiError` `unsupported-algorithm`.
 */
export function confirmationDigest({ signatureAlgorithm }: Certificate): DigestName | undefined {
  const { digest, kind } = resolveSignatureAlgorithm(signatureAlgorithm);
  return digest === undefined && kind !== 'eddsa' ? 'sha512' : undefined;
}

/**
 * Returns the certificate hash for certConf. `hashAlgorithm` is the one specified in the confirmation. Throws
 * `PkiError` `unsupported-algorithm`, including when neither the signature nor the confirmation specifies a digest.
 */
export function certificateHash(
  certificate: Certificate,
  options: CertificateHashFunctions & { readonly hashAlgorithm?: Pick<AlgorithmIdentifier, 'oid'> | undefined },
): Uint8Array {
  const { digest, shake256, hashAlgorithm } = options;
  if (hashAlgorithm !== undefined) return digest(namedDigest(hashAlgorithm.oid), certificate.der);
  const algorithm = resolveSignatureAlgorithm(certificate.signatureAlgorithm);
  if (algorithm.digest !== undefined) return digest(algorithm.digest, certificate.der);
  if (algorithm.name === 'Ed25519') return digest('sha512', certificate.der);
  if (algorithm.name === 'Ed448') return shake256(certificate.der, SHAKE256_OCTETS);
  throw new PkiError(
    'unsupported-algorithm',
    `The confirmation of a certificate signed with ${algorithm.name} must specify a hash algorithm (hashAlg, CMP version 3).`,
  );
}

function namedDigest(oid: string): DigestName {
  const name = digestFromOid(oid);
  if (name !== undefined && name !== 'md5' && name !== 'sha1') return name;
  throw new PkiError('unsupported-algorithm', `Hash algorithm ${oid} is not accepted in a confirmation.`);
}

/** Returns whether a confirmation refers to this certificate. Throws the same errors as `certificateHash`. */
export function confirmsCertificate(
  { certHash, hashAlgorithm }: CertConfirmation,
  { certificate, ...functions }: CertificateHashFunctions & { readonly certificate: Certificate },
): boolean {
  return equalBytes(certHash, certificateHash(certificate, { ...functions, hashAlgorithm }));
}

/** Returns the hash and algorithm for a new confirmation; `pkiBodyPart` accepts them together with the request ID. */
export function confirmationHash(
  certificate: Certificate,
  functions: CertificateHashFunctions,
): { readonly certHash: Uint8Array; readonly hashAlgorithm: { readonly der: Uint8Array } | undefined } {
  const name = confirmationDigest(certificate);
  if (name === undefined) return { certHash: certificateHash(certificate, functions), hashAlgorithm: undefined };
  const certHash = functions.digest(name, certificate.der);
  return { certHash, hashAlgorithm: { der: encodeDer(digestAlgorithmPart(name)) } };
}
