// Cryptographic functions for enveloped data, supplied by the caller. @signetry/pki/node provides `nodeCmsCrypto`.
import type { AlgorithmIdentifier, DigestName } from '../algorithms.ts';
import type { Digest, RandomBytes } from '../crypto.ts';

export type CbcCipherName = 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'des-ede3-cbc' | 'des-cbc';
export type GcmCipherName = 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm';

/** Encryption of a content key with an RSA key: RFC 8017 §7.2, or RFC 8017 §7.1 with MGF1 using the same digest. */
export type KeyTransport =
  | { readonly kind: 'rsa-pkcs1' }
  | { readonly kind: 'rsa-oaep'; readonly digest: DigestName; readonly label: Uint8Array };

export interface CbcInput {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  /** Always a whole number of blocks: this package handles padding, not the cipher. */
  readonly data: Uint8Array;
}

export interface GcmInput {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
  readonly associatedData: Uint8Array;
}

export interface CmsCrypto {
  readonly digest: Digest;
  readonly randomBytes: RandomBytes;
  readonly encryptCbc: (cipher: CbcCipherName, input: CbcInput) => Uint8Array;
  readonly decryptCbc: (cipher: CbcCipherName, input: CbcInput) => Uint8Array;
  /** `tag` is 16 bytes long. */
  readonly encryptGcm: (cipher: GcmCipherName, input: GcmInput) => { data: Uint8Array; tag: Uint8Array };
  /** `undefined` if the tag does not match. */
  readonly decryptGcm: (cipher: GcmCipherName, input: GcmInput & { tag: Uint8Array }) => Uint8Array | undefined;
  /** AES key wrap (RFC 3394) with a key of 16, 24 or 32 bytes. */
  readonly wrapKey: (wrappingKey: Uint8Array, key: Uint8Array) => Uint8Array;
  /** `undefined` if the input was not wrapped with this key. */
  readonly unwrapKey: (wrappingKey: Uint8Array, wrapped: Uint8Array) => Uint8Array | undefined;
  /** Throws `PkiError` `bad-key` if the key is not an RSA key or is unusable. */
  readonly transportKey: (spki: Uint8Array, input: { transport: KeyTransport; key: Uint8Array }) => Uint8Array;
  /** Returns an ephemeral public key (EC or X25519) and the shared secret. Throws `PkiError` `bad-key`. */
  readonly agreeOnSecret: (spki: Uint8Array) => { ephemeralSpki: Uint8Array; secret: Uint8Array };
  /** Returns the ciphertext and the shared secret for an ML-KEM key. Throws `PkiError` `bad-key`. */
  readonly encapsulate: (spki: Uint8Array) => { ciphertext: Uint8Array; secret: Uint8Array };
  /** HKDF without a salt (RFC 5869). */
  readonly hkdf: (
    digest: DigestName,
    input: { readonly secret: Uint8Array; readonly info: Uint8Array; readonly length: number },
  ) => Uint8Array;
  /**
   * Derives a key with PBKDF2; the iteration count is limited. Throws `PkiError`: `bound-exceeded`,
   * `unsupported-algorithm`.
   */
  readonly deriveKey: (
    password: string,
    input: { derivation: AlgorithmIdentifier; keyLength: number },
  ) => Promise<Uint8Array>;
}

/**
 * A recipient's key, wherever it is stored. Functions return `undefined` if decryption fails, and throw only if the key
 * is unavailable. Each key has the function for its type: `decrypt` for RSA, `agree` for EC and X25519,
 * `decapsulate` for ML-KEM.
 */
export interface RecipientKey {
  readonly decrypt?: (transport: KeyTransport, encryptedKey: Uint8Array) => Promise<Uint8Array | undefined>;
  /** Returns the secret shared with this SubjectPublicKeyInfo: the x coordinate, or the X25519 output. */
  readonly agree?: (originatorSpki: Uint8Array) => Promise<Uint8Array | undefined>;
  /** Returns the shared secret. */
  readonly decapsulate?: (ciphertext: Uint8Array) => Promise<Uint8Array | undefined>;
}
