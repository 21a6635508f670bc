// The cryptography that this package needs but does not implement. `@signetry/pki/node` supplies it with node:crypto;
// a browser can supply its own. Functions are synchronous: callers that sign remotely use the two-step builders.
import type { DigestName, SignatureAlgorithm } from './algorithms.ts';

/** What a signature covers, and how it was made. */
export interface SignedMaterial {
  readonly algorithm: SignatureAlgorithm;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Whether the signature was made with the key of this SubjectPublicKeyInfo. Answers false for a key that does not fit
 * the algorithm or cannot be imported; throws `PkiError` only for algorithms it does not support.
 */
export type VerifySignature = (spki: Uint8Array, signed: SignedMaterial) => boolean;

/**
 * The same for octets that would hold the caller's thread for long: megabytes are hashed before a signature is
 * verified.
 */
export type VerifySignatureAsync = (spki: Uint8Array, signed: SignedMaterial) => Promise<boolean>;

export type Digest = (name: DigestName, data: Uint8Array) => Uint8Array;

/** Cryptographically strong random octets. */
export type RandomBytes = (length: number) => Uint8Array;
