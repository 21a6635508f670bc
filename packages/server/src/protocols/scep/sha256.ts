// Fingerprints of keys.
import { createHash } from 'node:crypto';

/** Lower-case hex. */
export const sha256 = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex');
