// certHash of a confirmation (RFC 9810 §5.3.18, RFC 9481 §3.3): the certificate under the digest of its own signature.
import { digestAlgorithmPart, digestOfOid, resolveSignatureAlgorithm, type DigestName } from '../algorithms.ts';
import { encodeDer } from '../der/writer.ts';
import { equalBytes } from '../bytes.ts';
import { PkiError } from '../errors.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';
import type { CertConfirmation } from './body.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { Digest } from '../crypto.ts';

/** Octets of SHAKE256 where Ed448 asks for it. */
const SHAKE256_OCTETS = 64;

export interface CertificateHashFunctions {
  readonly digest: Digest;
  /** SHAKE256 with an output of so many octets. */
  readonly shake256: (data: Uint8Array, length: number) => Uint8Array;
}

/**
 * The digest that a confirmation names: none where the signature of the certificate tells it or RFC 9481 §3.3 does, as
 * for EdDSA; SHA-512 for ML-DSA and SLH-DSA, which need version 3 of CMP for it. Throws `PkiError`
 * `unsupported-algorithm`.
 */
export function confirmationDigest({ signatureAlgorithm }: Certificate): DigestName | undefined {
  const { digest, kind } = resolveSignatureAlgorithm(signatureAlgorithm);
  return digest === undefined && kind !== 'eddsa' ? 'sha512' : undefined;
}

/**
 * The hash of a certificate for certConf. `hashAlgorithm` is the one that the confirmation names. Throws `PkiError`
 * `unsupported-algorithm`, also for a signature without a digest when the confirmation names none.
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
    `The confirmation of a certificate with ${algorithm.name} must name a hash algorithm (hashAlg of version 3).`,
  );
}

function namedDigest(oid: string): DigestName {
  const name = digestOfOid(oid);
  if (name !== undefined && name !== 'md5' && name !== 'sha1') return name;
  throw new PkiError('unsupported-algorithm', `The hash algorithm ${oid} is not accepted in a confirmation.`);
}

/** Whether a confirmation is about this certificate. Throws as `certificateHash`. */
export function confirmsCertificate(
  { certHash, hashAlgorithm }: CertConfirmation,
  { certificate, ...functions }: CertificateHashFunctions & { readonly certificate: Certificate },
): boolean {
  return equalBytes(certHash, certificateHash(certificate, { ...functions, hashAlgorithm }));
}

/** Hash and algorithm of a confirmation to write: what `pkiBodyPart` takes with the number of the request. */
export function confirmationHash(
  certificate: Certificate,
  functions: CertificateHashFunctions,
): { readonly certHash: Uint8Array; readonly hashAlgorithm: { readonly der: Uint8Array } | undefined } {
  const name = confirmationDigest(certificate);
  if (name === undefined) return { certHash: certificateHash(certificate, functions), hashAlgorithm: undefined };
  const certHash = functions.digest(name, certificate.der);
  return { certHash, hashAlgorithm: { der: encodeDer(digestAlgorithmPart(name)) } };
}
