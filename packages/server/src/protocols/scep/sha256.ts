// Key fingerprints.
import { createHash } from 'node:crypto';

/** Returns the SHA-256 in lowercase hex. */
export const sha256 = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex');
