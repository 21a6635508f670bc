// Cryptographic functions that this package requires but does not implement. `@signetry/pki/node` provides them with
// node:crypto; a browser can provide its own implementation. The functions are synchronous; for remote signing, use the
// two-step builders.
import type { DigestName, SignatureAlgorithm, XofName } from './algorithms.ts';

/** A signature, its algorithm and the signed data. */
export interface SignedMaterial {
  readonly algorithm: SignatureAlgorithm;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Verifies a signature with the key in a SubjectPublicKeyInfo. Returns false if the key does not match the algorithm or
 * cannot be imported; throws `PkiError` only for unsupported algorithms.
 */
export type VerifySignature = (spki: Uint8Array, signed: SignedMaterial) => boolean;

/**
 * Same as `VerifySignature`, but for data whose verification would block the caller's thread for a long time, because
 * megabytes must be hashed first.
 */
export type VerifySignatureAsync = (spki: Uint8Array, signed: SignedMaterial) => Promise<boolean>;

export type Digest = (name: DigestName | XofName, data: Uint8Array) => Uint8Array;

/** Returns cryptographically secure random bytes. */
export type RandomBytes = (length: number) => Uint8Array;
