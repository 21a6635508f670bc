// Signature and cipher attributes. The platform defines them by key algorithm; every cryptography provider, including
// third-party ones, reads them by these names and identifiers. ECDSA uses only the digest; Ed25519, Ed448 and the
// post-quantum algorithms use no attributes.
import type { DigestAlgorithm } from '../enums/keys.ts';

const attribute = <const Uuid extends string, const Name extends string>(uuid: Uuid, name: Name) => ({ uuid, name });

export const SIGNATURE_ATTRIBUTES = {
  /** RSA only, one of `RsaSignatureScheme`. */
  scheme: attribute('0b13c68c-4d56-4901-baf1-af859c8f75ee', 'data_rsaSigScheme'),
  /** One of `OFFERED_DIGESTS`. Data to sign is always sent in full: the provider computes its digest. */
  digest: attribute('46bfdc2f-a96f-4f5d-a218-d538fde92e6d', 'data_sigDigest'),
} as const;

/** Attributes for RSA encryption. */
export const CIPHER_ATTRIBUTES = {
  /** One of `RsaEncryptionScheme`. */
  scheme: attribute('6a93364c-d9d4-11ed-afa1-0242ac120002', 'data_rsaEncScheme'),
  /** OAEP digest, one of `OFFERED_DIGESTS`. */
  oaepDigest: attribute('6a933a52-d9d4-11ed-afa1-0242ac120002', 'data_rsaOaepHash'),
  /** Boolean: whether OAEP's MGF1 uses the same digest; otherwise, it uses SHA-1. */
  oaepMgf: attribute('6a933c32-d9d4-11ed-afa1-0242ac120002', 'data_rsaOaepMgf'),
} as const;

/**
 * Digests offered for signatures and OAEP. MD5 and SHA-1 are in the enumeration, but are not safe for either purpose.
 */
export const OFFERED_DIGESTS = [
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
  'SHA-224',
] as const satisfies readonly DigestAlgorithm[];
export type OfferedDigest = (typeof OFFERED_DIGESTS)[number];

/**
 * Attributes for a new key pair that the platform itself sets or reads. A provider can omit them: without `file`, its
 * tokens accept no imported keys; without `exportable`, its keys are never exportable.
 */
export const KEY_PAIR_ATTRIBUTES = {
  /** Name of the key in its token. */
  alias: 'data_keyAlias',
  /** File with a private key to import instead of generating one. */
  file: 'data_keyFile',
  filePassword: 'data_keyFilePassword',
  /** Boolean: whether the private key can later be exported. Cannot be changed after the key was created. */
  exportable: 'data_exportable',
} as const;
