// Encryption and decryption. All decryption failures return the same error: a specific reason would help attackers who
// probe with ciphertexts.
import { constants, privateDecrypt, publicEncrypt } from 'node:crypto';
import {
  longestPlaintext,
  nodeDigest,
  oaepDecode,
  oaepEncode,
  rejected,
  type CipherMechanism,
} from '@signetry/connector-sdk';
import type { OpenKey } from '../keys/open-key.ts';
import { decrypt, encrypt } from '../octets.ts';

export function encryptItem(opened: OpenKey, mechanism: CipherMechanism, plain: Uint8Array): Uint8Array {
  const { key, name } = opened;
  const longest = longestPlaintext(opened, mechanism);
  if (plain.length > longest)
    throw rejected(
      `A key of type ${name} can encrypt at most ${longest} bytes with these attributes, not ${plain.length}.`,
    );
  if (mechanism.kind === 'aes-gcm') return encrypt(key, plain);
  if (mechanism.kind === 'rsa-pkcs1') return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, plain);
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, oaepEncode(plain, mechanism, bytesOf(opened)));
}

/**
 * With PKCS #1 v1.5, a malformed ciphertext yields random bytes instead of an error: OpenSSL uses implicit rejection,
 * so that an attacker cannot find out which ciphertexts are well-formed (Bleichenbacher 1998).
 */
export function decryptItem(opened: OpenKey, mechanism: CipherMechanism, sealed: Uint8Array): Uint8Array {
  const plain = plainOf(opened, mechanism, sealed);
  if (!plain) throw rejected('Cannot decrypt the data with this key and these attributes.');
  return plain;
}

function plainOf(opened: OpenKey, mechanism: CipherMechanism, sealed: Uint8Array): Uint8Array | undefined {
  const { key } = opened;
  if (mechanism.kind === 'aes-gcm') return decrypt(key, sealed);
  if (sealed.length !== bytesOf(opened)) return undefined;
  try {
    if (mechanism.kind === 'rsa-pkcs1') return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, sealed);
    const { digest, mgfDigest } = mechanism;
    if (digest !== mgfDigest)
      return oaepDecode(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, sealed), mechanism);
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: nodeDigest(digest) }, sealed);
  } catch {
    return undefined;
  }
}

/** Returns the length of the modulus, which is also the length of every ciphertext. */
const bytesOf = ({ bits }: OpenKey): number => Math.ceil(bits / 8);
