// Which signatures of messages and of proofs of possession are taken: RFC 9481 §3 lists none with a broken digest.
import { PkiError } from '../errors.ts';
import { resolveSignatureAlgorithm, type AlgorithmIdentifier, type SignatureAlgorithm } from '../algorithms.ts';

/** The algorithm to verify with. Throws `PkiError` `unsupported-algorithm`, also for MD5 and SHA-1. */
export function messageSignatureAlgorithm(id: AlgorithmIdentifier): SignatureAlgorithm {
  const algorithm = resolveSignatureAlgorithm(id);
  if (algorithm.digest !== 'md5' && algorithm.digest !== 'sha1') return algorithm;
  throw new PkiError(
    'unsupported-algorithm',
    `The signature with ${algorithm.name} is not accepted: its digest is broken; sign with SHA-256 or better.`,
  );
}
