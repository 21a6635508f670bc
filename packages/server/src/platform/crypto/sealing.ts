// Seals secrets at rest: AES-256-GCM under a key that never enters the database. The sealed form names its key, so
// that keys can be rotated: the first key seals, every known key opens.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

export interface Sealer {
  /** Seals `plain`; `purpose` is bound to the result, so that a sealed value cannot be moved to another place. */
  seal(plain: Uint8Array, purpose: string): Uint8Array;
  /** Opens a sealed value, or throws `SealError`. */
  open(sealed: Uint8Array, purpose: string): Uint8Array;
  /** True when the value was sealed by an older key and should be sealed anew. */
  isStale(sealed: Uint8Array): boolean;
  /**
   * Keys for another use, one derived from each sealing key, the current one first; equal on every node with the same key
   * file. What is made with the first is still recognised by the others after a rotation.
   */
  derive(purpose: string): readonly Uint8Array[];
}

export class SealError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'SealError';
  }
}

export const newSealingKey = (): Uint8Array => randomBytes(KEY_BYTES);

/** Keys of a key file: one base64 key per line, the first seals; blank lines and `#` comments are skipped. */
export function parseSealingKeys(text: string): readonly Uint8Array[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new Uint8Array(Buffer.from(line, 'base64')));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new SealError(`A sealing key file holds one or more lines, each ${KEY_BYTES} bytes in base64.`);
  }
  return keys;
}

export function createSealer(keys: readonly Uint8Array[]): Sealer {
  const [current] = keys;
  if (!current) throw new SealError('A sealer needs at least one key.');
  const byId = new Map(keys.map((key) => [keyId(key), { key, encryption: deriveKey(key, 'seal') }]));
  const currentId = keyId(current);

  return {
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', deriveKey(current, 'seal'), nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), Buffer.from(currentId, 'hex'), nonce, body, cipher.getAuthTag()]);
    },
    open(sealed, purpose) {
      if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== VERSION)
        throw new SealError('This is not a sealed value.');
      const id = Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)).toString('hex');
      const entry = byId.get(id);
      if (!entry) throw new SealError(`The value was sealed by key ${id}, which is not in the sealing key file.`);
      const decipher = createDecipheriv(
        'aes-256-gcm',
        entry.encryption,
        sealed.subarray(1 + KEY_ID_BYTES, HEADER_BYTES),
      );
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      try {
        return Buffer.concat([
          decipher.update(sealed.subarray(HEADER_BYTES, sealed.length - TAG_BYTES)),
          decipher.final(),
        ]);
      } catch (cause) {
        throw new SealError('The sealed value was altered or belongs elsewhere.', { cause });
      }
    },
    isStale: (sealed) => Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)).toString('hex') !== currentId,
    derive: (purpose) => keys.map((key) => deriveKey(key, purpose)),
  };
}

const keyId = (key: Uint8Array): string =>
  createHash('sha256')
    .update('signetry sealing key id')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);

const deriveKey = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), `signetry ${purpose}`, KEY_BYTES));
