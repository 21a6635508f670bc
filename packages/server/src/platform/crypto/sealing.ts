// Seals secrets at rest with AES-256-GCM under a key that is never stored in the database. The sealed form identifies
// its key, so that keys can be rotated: one key seals, all known keys open, and keys can be added while the platform is
// running.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

export interface Sealer {
  /** Seals `plain` and binds the result to `purpose`, so that a sealed value cannot be moved elsewhere. */
  seal(plain: Uint8Array, purpose: string): Uint8Array;
  /** Opens a sealed value, or throws `SealError`. */
  open(sealed: Uint8Array, purpose: string): Uint8Array;
  /** Returns whether the value was sealed with an older key and should be sealed again. */
  isStale(sealed: Uint8Array): boolean;
  /**
   * Returns keys for a different use, one derived from each sealing key, starting with the current one. The derived
   * keys are identical on all nodes with the same key file. After a rotation, results created with the previous first
   * key are still recognized through the other keys. Do not cache the keys, because a rotation changes them.
   */
  derive(purpose: DerivedPurpose): readonly Uint8Array[];
}

/** A sealer whose keys can change. */
export interface KeyRing extends Sealer {
  readonly currentKeyId: () => string;
  readonly keyIds: () => readonly string[];
  /** Adds keys that can open sealed values. */
  learn(keys: readonly Uint8Array[]): void;
  /** Selects a known key for sealing from now on. */
  use(keyId: string): void;
  /** Adds a key that was derived from a sealing key that is no longer known. */
  learnDerived(derived: DerivedKey): void;
  /**
   * Returns the keys derived so far from a sealing key, so that they can be retained when the sealing key is removed.
   */
  derivedFrom(keyId: string): readonly DerivedKey[];
}

export interface DerivedKey {
  readonly keyId: string;
  readonly purpose: string;
  readonly key: Uint8Array;
}

export class SealError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'SealError';
  }
}

export const newSealingKey = (): Uint8Array => randomBytes(KEY_BYTES);

/**
 * Parses a key file with one Base64 key per line. The first key is used for sealing; blank lines and `#` comments are
 * ignored.
 */
export function parseSealingKeys(text: string): readonly Uint8Array[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new Uint8Array(Buffer.from(line, 'base64')));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new SealError(`A sealing key file must contain one or more lines, each with ${KEY_BYTES} bytes in Base64.`);
  }
  return keys;
}

interface KnownKey {
  readonly key: Uint8Array;
  readonly encryption: Uint8Array;
}

/** Returns a sealer that seals with the first key until a different one is selected. */
export function createSealer(keys: readonly Uint8Array[]): KeyRing {
  const [first] = keys;
  if (!first) throw new SealError('A sealer requires at least one key.');
  const known = new Map<string, KnownKey>();
  let currentId = keyIdOf(first);
  const derivedKeys = new Map<string, readonly Uint8Array[]>();
  const retired: DerivedKey[] = [];
  learn(keys);

  function learn(more: readonly Uint8Array[]): void {
    for (const key of more) known.set(keyIdOf(key), { key, encryption: deriveKey(key, 'seal') });
    derivedKeys.clear();
  }

  function knownKey(id: string): KnownKey {
    const key = known.get(id);
    if (!key) throw new SealError(`The value was sealed with key ${id}, which is not in the sealing key file.`);
    return key;
  }

  function derive(purpose: DerivedPurpose): readonly Uint8Array[] {
    const others = [...known.keys()].filter((id) => id !== currentId);
    return [
      ...[currentId, ...others].map((id) => deriveKey(knownKey(id).key, purpose)),
      ...retired.filter((derived) => derived.purpose === purpose && !known.has(derived.keyId)).map(({ key }) => key),
    ];
  }

  return {
    seal: (plain, purpose) => seal(plain, { purpose, id: currentId, key: knownKey(currentId).encryption }),
    open(sealed, purpose) {
      const id = sealedBy(sealed);
      if (sealed.length < HEADER_BYTES + TAG_BYTES || id === undefined) throw new SealError('Not a sealed value.');
      return open(sealed, { purpose, key: knownKey(id).encryption });
    },
    isStale: (sealed) => sealedBy(sealed) !== currentId,
    derive(purpose) {
      const keysOfPurpose = derivedKeys.get(purpose) ?? derive(purpose);
      derivedKeys.set(purpose, keysOfPurpose);
      return keysOfPurpose;
    },
    currentKeyId: () => currentId,
    keyIds: () => [...known.keys()],
    learn,
    use(id) {
      knownKey(id);
      if (id === currentId) return;
      currentId = id;
      derivedKeys.clear();
    },
    learnDerived(derived) {
      retired.push(derived);
      derivedKeys.clear();
    },
    derivedFrom: (id) =>
      DERIVED_PURPOSES.map((purpose) => ({ keyId: id, purpose, key: deriveKey(knownKey(id).key, purpose) })),
  };
}

/**
 * Purposes of derived keys. Keys for a purpose that is not listed here would not survive the removal of an old sealing
 * key.
 */
export const DERIVED_PURPOSES = ['access tokens', 'acme nonce'] as const;
/**
 * Rate limits are counted over minutes, and cursors are equally short-lived, so both can start over after a rotation.
 */
export type DerivedPurpose = (typeof DERIVED_PURPOSES)[number] | 'rate limits' | 'cursors';

function seal(
  plain: Uint8Array,
  { purpose, id, key }: { readonly purpose: string; readonly id: string; readonly key: Uint8Array },
): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Uint8Array.of(VERSION), Buffer.from(id, 'hex'), nonce, body, cipher.getAuthTag()]);
}

function open(
  sealed: Uint8Array,
  { purpose, key }: { readonly purpose: string; readonly key: Uint8Array },
): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1 + KEY_ID_BYTES, HEADER_BYTES));
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    const body = sealed.subarray(HEADER_BYTES, sealed.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (cause) {
    throw new SealError('The sealed value was modified or has a different purpose.', { cause });
  }
}

/** Returns a sealed value's key ID, or undefined for a different version. */
const sealedBy = (sealed: Uint8Array): string | undefined =>
  sealed[0] === VERSION ? Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)).toString('hex') : undefined;

/** Returns a key's identifier, which reveals nothing about the key. */
export const keyIdOf = (key: Uint8Array): string =>
  createHash('sha256')
    .update('signetry sealing key id')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);

const deriveKey = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), `signetry ${purpose}`, KEY_BYTES));
