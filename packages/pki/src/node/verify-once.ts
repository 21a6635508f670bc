// Avoids verifying the same signature twice in one process: a request verified by the platform is verified again by the
// built-in authority that receives it, which does not trust its callers.
import { createHash } from 'node:crypto';
import type { SignedMaterial, VerifySignature } from '../crypto.ts';
import { nodeCrypto } from './crypto.ts';

/** Maximum number of remembered verifications: the number of requests in flight. */
const REMEMBERED = 512;

/**
 * Same as `verify`, but skips the verification if the same signature was recently verified over the same bytes with the
 * same key and algorithm. Failures are not cached.
 */
export function cacheVerified(verify: VerifySignature, remembered = REMEMBERED): VerifySignature {
  const verified = new Set<string>();
  return (spki, signed) => {
    const id = identityOf(spki, signed);
    if (verified.has(id)) return true;
    if (!verify(spki, signed)) return false;
    const oldest = verified.size >= remembered ? verified.values().next().value : undefined;
    if (oldest !== undefined) verified.delete(oldest);
    verified.add(id);
    return true;
  };
}

export const verifyOnce: VerifySignature = cacheVerified(nodeCrypto.verify);

/** Key and algorithm are in DER and therefore self-delimiting. */
function identityOf(spki: Uint8Array, { algorithm, data, signature }: SignedMaterial): string {
  const hashing = createHash('sha256').update(spki).update(algorithm.der).update(signature).update(data);
  return `${signature.length} ${hashing.digest('base64')}`;
}
