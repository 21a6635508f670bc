// The cryptography of enveloped data, which the caller passes in. `nodeCmsCrypto` of @signetry/pki/node supplies it.
import type { AlgorithmIdentifier, DigestName } from '../algorithms.ts';
import type { Digest, RandomBytes } from '../crypto.ts';

export type CbcCipherName = 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'des-ede3-cbc' | 'des-cbc';
export type GcmCipherName = 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm';

/** How a content key is encrypted to an RSA key: RFC 8017 §7.2, or §7.1 with MGF1 on the same digest. */
export type KeyTransport =
  | { readonly kind: 'rsa-pkcs1' }
  | { readonly kind: 'rsa-oaep'; readonly digest: DigestName; readonly label: Uint8Array };

export interface CbcInput {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  /** A whole number of blocks: padding is added and removed here, not by the cipher. */
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
  /** `tag` has 16 octets. */
  readonly encryptGcm: (cipher: GcmCipherName, input: GcmInput) => { data: Uint8Array; tag: Uint8Array };
  /** `undefined` when the tag does not fit. */
  readonly decryptGcm: (cipher: GcmCipherName, input: GcmInput & { tag: Uint8Array }) => Uint8Array | undefined;
  /** AES key wrap (RFC 3394) with a key of 16, 24 or 32 octets. */
  readonly wrapKey: (wrappingKey: Uint8Array, key: Uint8Array) => Uint8Array;
  /** `undefined` when it is not a key wrapped with this one. */
  readonly unwrapKey: (wrappingKey: Uint8Array, wrapped: Uint8Array) => Uint8Array | undefined;
  /** Throws `PkiError` `bad-key` for a key that is not an RSA key, or cannot be used. */
  readonly transportKey: (spki: Uint8Array, input: { transport: KeyTransport; key: Uint8Array }) => Uint8Array;
  /** A key pair made for this agreement (EC, X25519), and what both sides share. Throws `PkiError` `bad-key`. */
  readonly agreeOnSecret: (spki: Uint8Array) => { ephemeralSpki: Uint8Array; secret: Uint8Array };
  /** By PBKDF2, within a bound of iterations. Throws `PkiError`: `bound-exceeded`, `unsupported-algorithm`. */
  readonly deriveKey: (
    password: string,
    input: { derivation: AlgorithmIdentifier; keyLength: number },
  ) => Promise<Uint8Array>;
}

/**
 * A recipient's key, wherever it is. Functions answer `undefined` when the octets do not open, and throw only when the
 * key could not be asked. A key has the function of its type: `decrypt` for RSA, `agree` for EC and X25519.
 */
export interface RecipientKey {
  readonly decrypt?: (transport: KeyTransport, encryptedKey: Uint8Array) => Promise<Uint8Array | undefined>;
  /** The shared secret with this SubjectPublicKeyInfo: the x coordinate, or the output of X25519. */
  readonly agree?: (originatorSpki: Uint8Array) => Promise<Uint8Array | undefined>;
}
