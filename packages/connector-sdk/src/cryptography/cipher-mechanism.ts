// Encryption mechanism, read from a call's attributes. RSA has a scheme, and OAEP also has a digest. AES has no
// attributes and always uses GCM.
import { CIPHER_ATTRIBUTES, RsaEncryptionScheme, type OfferedDigest } from '@signetry/contract';
import { readBoolean, readString, type AttributeValues } from '../attributes/read-attributes.ts';
import { rejected } from '../connector-error.ts';
import { readChoice, rejectUnknownAttributes } from './mechanism-attributes.ts';
import { DIGEST_OCTETS, digestOf, type MechanismKey } from './signature-mechanism.ts';

/** OAEP digest. SHA-1 occurs only in data to decrypt: it is the default of RFC 8017 §A.2.1, and safe in OAEP. */
export type OaepDigest = OfferedDigest | 'SHA-1';

/**
 * `mgfDigest` is the MGF1 digest (RFC 8017 appendix B.2.1). With `aes-gcm`, a ciphertext is the concatenation of the
 * nonce (12 bytes), the encrypted bytes and the tag (16 bytes).
 */
export type CipherMechanism =
  | { readonly kind: 'rsa-pkcs1' }
  | { readonly kind: 'aes-gcm' }
  | { readonly kind: 'rsa-oaep'; readonly digest: OaepDigest; readonly mgfDigest: OaepDigest };

/**
 * Rejects (422) attributes that are missing, unknown, unsafe or too large for the key. The error names them. OAEP with
 * SHA-1 is accepted only for decryption, because the sender selects the digest.
 */
export function readCipherMechanism(
  key: MechanismKey,
  attributes: AttributeValues,
  { decrypts = false }: { readonly decrypts?: boolean } = {},
): CipherMechanism {
  const { scheme, oaepDigest, oaepMgf } = CIPHER_ATTRIBUTES;
  const owner = `Encryption with a key of type ${key.name}`;
  if (key.family === 'AES') {
    rejectUnknownAttributes(attributes, [], owner);
    return { kind: 'aes-gcm' };
  }
  if (key.family !== 'RSA') throw rejected(`Keys of type ${key.name} cannot encrypt or decrypt.`);
  rejectUnknownAttributes(attributes, [scheme.name, oaepDigest.name, oaepMgf.name], owner);
  if (readChoice(RsaEncryptionScheme.options, { attributes, name: scheme.name, owner }) === 'PKCS1-v1_5')
    return { kind: 'rsa-pkcs1' };
  const isSha1 = decrypts && readString(attributes, oaepDigest.name) === 'SHA-1';
  const digest = isSha1 ? 'SHA-1' : digestOf(attributes, { name: oaepDigest.name, owner: 'Encryption with OAEP' });
  const mgfDigest = readBoolean(attributes, oaepMgf.name) ? digest : 'SHA-1';
  const mechanism = { kind: 'rsa-oaep', digest, mgfDigest } as const;
  if (longestPlaintext(key, mechanism) < 0)
    throw rejected(`OAEP with ${digest} requires a longer RSA key; this one has ${key.bits} bits.`);
  return mechanism;
}

/**
 * Returns the maximum size of an item in bytes: RFC 8017 §7.1.1 and §7.2.1 for RSA. For AES, it is unlimited, and
 * callers set a limit.
 */
export function longestPlaintext({ bits }: MechanismKey, mechanism: CipherMechanism): number {
  const modulus = Math.ceil(bits / 8);
  if (mechanism.kind === 'rsa-oaep') return modulus - 2 * octetsOf(mechanism.digest) - 2;
  return mechanism.kind === 'rsa-pkcs1' ? modulus - 11 : Infinity;
}

const SHA1_OCTETS = 20;
const octetsOf = (digest: OaepDigest): number => (digest === 'SHA-1' ? SHA1_OCTETS : DIGEST_OCTETS[digest]);
