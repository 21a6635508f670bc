// Verifies what passes through several hands of one process once: a request that the platform has read is read again
// by the authority that it is handed to, which trusts nobody.
import { createHash } from 'node:crypto';
import type { SignedMaterial, VerifySignature } from '../crypto.ts';
import { nodeCrypto } from './crypto.ts';

/** Requests that are under way at a time. */
const REMEMBERED = 512;

/**
 * As `verify`, except that a signature which verified a short while ago over the same octets, with the same key and
 * algorithm, is not verified again. What did not verify is not remembered.
 */
export function rememberVerified(verify: VerifySignature, remembered = REMEMBERED): VerifySignature {
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

export const verifyOnce: VerifySignature = rememberVerified(nodeCrypto.verify);

/** Key and algorithm are DER, which tells its own length. */
function identityOf(spki: Uint8Array, { algorithm, data, signature }: SignedMaterial): string {
  const hashing = createHash('sha256').update(spki).update(algorithm.der).update(signature).update(data);
  return `${signature.length} ${hashing.digest('base64')}`;
}
