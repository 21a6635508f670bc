// Digest for thumbprints and key authorizations (RFC 7638, RFC 8555 §8).
import { hash } from 'node:crypto';

export const sha256 = (data: Uint8Array): Uint8Array => hash('sha256', data, 'buffer');
