// Signature algorithms accepted for messages and proofs of possession. RFC 9481 §3 lists no algorithm with a broken
// digest.
import { PkiError } from '../errors.ts';
import { resolveSignatureAlgorithm, type AlgorithmIdentifier, type SignatureAlgorithm } from '../algorithms.ts';

/** Returns the algorithm for verification. Throws `PkiError` `unsupported-algorithm`, including for MD5 and SHA-1. */
export function messageSignatureAlgorithm(id: AlgorithmIdentifier): SignatureAlgorithm {
  const algorithm = resolveSignatureAlgorithm(id);
  if (algorithm.digest !== 'md5' && algorithm.digest !== 'sha1') return algorithm;
  throw new PkiError(
    'unsupported-algorithm',
    `Signature algorithm ${algorithm.name} is not accepted: its digest is broken. Use SHA-256 or stronger.`,
  );
}
