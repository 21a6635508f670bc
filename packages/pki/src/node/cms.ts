// Cryptographic functions for enveloped data, based on node:crypto, and Node private keys as recipient keys.
import {
  constants,
  createCipheriv,
  createDecipheriv,
  decapsulate,
  diffieHellman,
  encapsulate,
  generateKeyPairSync,
  hkdfSync,
  privateDecrypt,
  publicEncrypt,
  type CipherGCMTypes,
  type KeyObject,
} from 'node:crypto';
import { concatBytes, plainBytes } from '../bytes.ts';
import { createDerivationBudget } from './derivation-budget.ts';
import { importPublicKey, nodeCrypto } from './crypto.ts';
import { exportPublicKey } from './keys.ts';
import { OID } from '../oids.ts';
import { pbkdf2Bytes, readPbkdf2 } from './pbe.ts';
import { PkiError } from '../errors.ts';
import type { CbcCipherName, CbcInput, CmsCrypto, KeyTransport, RecipientKey } from '../cms/cms-crypto.ts';

/** RFC 3394 §2.2.3.1. */
const WRAP_IV = new Uint8Array(8).fill(0xa6);
const GCM_TAG_LENGTH = 16;

/** Cryptographic functions for `openEnvelope` and `sealEnvelope`. */
export const nodeCmsCrypto: CmsCrypto = {
  digest: nodeCrypto.digest,
  randomBytes: nodeCrypto.randomBytes,
  encryptCbc: (cipher, { iv, data, ...input }: CbcInput) => {
    const { name, key } = availableCipher(cipher, input.key);
    const encryption = createCipheriv(name, key, iv).setAutoPadding(false);
    return concatBytes([encryption.update(data), encryption.final()]);
  },
  decryptCbc: (cipher, { iv, data, ...input }: CbcInput) => {
    const { name, key } = availableCipher(cipher, input.key);
    const decryption = createDecipheriv(name, key, iv).setAutoPadding(false);
    return concatBytes([decryption.update(data), decryption.final()]);
  },
  encryptGcm: (cipher, { key, nonce, data, associatedData }) => {
    const encryption = createCipheriv(cipher as CipherGCMTypes, key, nonce, { authTagLength: GCM_TAG_LENGTH });
    encryption.setAAD(associatedData);
    const encrypted = concatBytes([encryption.update(data), encryption.final()]);
    return { data: encrypted, tag: plainBytes(encryption.getAuthTag()) };
  },
  decryptGcm: (cipher, { key, nonce, data, associatedData, tag }) => {
    const decryption = createDecipheriv(cipher as CipherGCMTypes, key, nonce, { authTagLength: tag.length });
    decryption.setAAD(associatedData).setAuthTag(tag);
    const opened = decryption.update(data);
    return attempt(() => concatBytes([opened, decryption.final()]));
  },
  wrapKey: (wrappingKey, key) => {
    const wrapping = createCipheriv(`id-aes${wrappingKey.length * 8}-wrap`, wrappingKey, WRAP_IV);
    return concatBytes([wrapping.update(key), wrapping.final()]);
  },
  unwrapKey: (wrappingKey, wrapped) =>
    attempt(() => {
      const unwrapping = createDecipheriv(`id-aes${wrappingKey.length * 8}-wrap`, wrappingKey, WRAP_IV);
      return concatBytes([unwrapping.update(wrapped), unwrapping.final()]);
    }),
  transportKey: (spki, { transport, key }) => {
    const encrypted = attempt(() => publicEncrypt({ key: requirePublicKey(spki), ...paddingOf(transport) }, key));
    if (encrypted !== undefined) return plainBytes(encrypted);
    throw new PkiError('bad-key', "Cannot encrypt the content key with the recipient's public key.");
  },
  agreeOnSecret: (spki) => {
    const agreed = attempt(() => createSharedSecret(requirePublicKey(spki)));
    if (agreed !== undefined) return agreed;
    throw new PkiError('bad-key', "The recipient's key does not support key agreement.");
  },
  encapsulate: (spki) => {
    const made = attempt(() => encapsulate(requirePublicKey(spki)));
    if (made !== undefined) return { ciphertext: plainBytes(made.ciphertext), secret: plainBytes(made.sharedKey) };
    throw new PkiError('bad-key', "The recipient's key does not support encapsulation.");
  },
  hkdf: (digest, { secret, info, length }) => new Uint8Array(hkdfSync(digest, secret, new Uint8Array(), info, length)),
  deriveKey: async (password, { derivation, keyLength }) => {
    const { oid, parameters } = derivation;
    if (oid !== OID.pbkdf2 || parameters === undefined)
      throw new PkiError('unsupported-algorithm', `Key derivation ${oid} is not supported. Use PBKDF2.`);
    const { salt, iterations, digest, keyLength: stated = keyLength } = readPbkdf2(parameters);
    if (stated !== keyLength) throw new PkiError('bad-value', 'The key length does not match the key wrap algorithm.');
    return await pbkdf2Bytes(password, { salt, iterations, digest, keyLength, budget: createDerivationBudget() });
  },
};

/** Discards OpenSSL errors: their details must not reach the peer. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function requirePublicKey(spki: Uint8Array): KeyObject {
  const key = importPublicKey(spki);
  if (key === undefined) throw new PkiError('bad-key', 'The public key is malformed or not supported.');
  return key;
}

function paddingOf(transport: KeyTransport): { padding: number; oaepHash?: string; oaepLabel?: Uint8Array } {
  if (transport.kind === 'rsa-pkcs1') return { padding: constants.RSA_PKCS1_PADDING };
  const { digest, label } = transport;
  return {
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: digest,
    ...(label.length > 0 && { oaepLabel: label }),
  };
}

function createSharedSecret(publicKey: KeyObject): { ephemeralSpki: Uint8Array; secret: Uint8Array } {
  const namedCurve = publicKey.asymmetricKeyDetails?.namedCurve ?? '';
  const { privateKey } =
    publicKey.asymmetricKeyType === 'x25519'
      ? generateKeyPairSync('x25519')
      : generateKeyPairSync('ec', { namedCurve });
  return {
    ephemeralSpki: exportPublicKey(privateKey),
    secret: plainBytes(diffieHellman({ privateKey, publicKey })),
  };
}

/**
 * Returns a Node private key as a recipient key. With PKCS #1 v1.5, invalid padding yields random-looking bytes instead
 * of an error (OpenSSL's implicit rejection).
 */
export function recipientKeyOf(privateKey: KeyObject): RecipientKey {
  if (privateKey.asymmetricKeyType === 'rsa')
    return {
      decrypt: async (transport, encryptedKey) =>
        attempt(() => plainBytes(privateDecrypt({ key: privateKey, ...paddingOf(transport) }, encryptedKey))),
    };
  if (privateKey.asymmetricKeyType?.startsWith('ml-kem'))
    return {
      decapsulate: async (ciphertext) => attempt(() => plainBytes(decapsulate(privateKey, ciphertext))),
    };
  return {
    agree: async (spki) => attempt(() => plainBytes(diffieHellman({ privateKey, publicKey: requirePublicKey(spki) }))),
  };
}

/** OpenSSL no longer provides single DES; triple DES with three equal keys is equivalent. */
const availableCipher = (name: CbcCipherName, key: Uint8Array): { name: string; key: Uint8Array } =>
  name === 'des-cbc' ? { name: 'des-ede3-cbc', key: concatBytes([key, key, key]) } : { name, key };
