// Seals secrets at rest for connectors that run separately: AES-256-GCM with one key that is never stored in the
// database. Inside the platform, the platform's sealing is used, which also supports key rotation.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ConnectorContext } from '../connector.ts';

const VERSION = 1;
const KEY_BYTES = 32;
/** NIST SP 800-38D §8.2.2: 96 random bits, sufficient for 2^32 values under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates sealing functions from a key of 32 random bytes. Opening throws if the value was changed, moved to a
 * different purpose, or sealed with a different key.
 */
export function createSealing(key: Uint8Array): Pick<ConnectorContext, 'seal' | 'open'> {
  if (key.length !== KEY_BYTES) throw new Error(`The sealing key must have ${KEY_BYTES} bytes.`);
  const own = Uint8Array.from(key);
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', own, nonce).setAAD(Buffer.from(purpose));
      return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, purpose) {
      if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) throw new Error('Not a sealed value.');
      const decipher = createDecipheriv('aes-256-gcm', own, sealed.subarray(1, 1 + NONCE_BYTES));
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
