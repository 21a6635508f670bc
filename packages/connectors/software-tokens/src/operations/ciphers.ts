// Encrypting and decrypting. Whatever is wrong with a ciphertext, the refusal is the same: reasons would help those who
// try out ciphertexts to learn what is in them.
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
    throw rejected(`A key of type ${name} encrypts ${longest} octets in this way, not ${plain.length}.`);
  if (mechanism.kind === 'aes-gcm') return encrypt(key, plain);
  if (mechanism.kind === 'rsa-pkcs1') return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, plain);
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, oaepEncode(plain, mechanism, bytesOf(opened)));
}

/**
 * With PKCS#1 v1.5 a malformed ciphertext gives random octets instead of a refusal: OpenSSL rejects implicitly, so that
 * nobody learns which ciphertexts are well-formed (Bleichenbacher 1998).
 */
export function decryptItem(opened: OpenKey, mechanism: CipherMechanism, sealed: Uint8Array): Uint8Array {
  const plain = plainOf(opened, mechanism, sealed);
  if (!plain) throw rejected('The data cannot be decrypted with this key and these attributes.');
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

/** Of the modulus, and of every ciphertext. */
const bytesOf = ({ bits }: OpenKey): number => Math.ceil(bits / 8);
