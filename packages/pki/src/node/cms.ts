// The cryptography of enveloped data on node:crypto, and private keys of node as keys of recipients.
import {
  constants,
  createCipheriv,
  createDecipheriv,
  diffieHellman,
  generateKeyPairSync,
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

/** Functions for `openEnvelope` and `sealEnvelope`. */
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
    const encrypted = attempt(() => publicEncrypt({ key: importedKey(spki), ...paddingOf(transport) }, key));
    if (encrypted !== undefined) return plainBytes(encrypted);
    throw new PkiError('bad-key', 'The content key cannot be encrypted to the key of the recipient.');
  },
  agreeOnSecret: (spki) => {
    const agreed = attempt(() => agreeWith(importedKey(spki)));
    if (agreed !== undefined) return agreed;
    throw new PkiError('bad-key', 'The key of the recipient cannot agree on a secret.');
  },
  deriveKey: async (password, { derivation, keyLength }) => {
    const { oid, parameters } = derivation;
    if (oid !== OID.pbkdf2 || parameters === undefined)
      throw new PkiError('unsupported-algorithm', `The key derivation ${oid} is not supported; PBKDF2 is.`);
    const { salt, iterations, digest, keyLength: stated = keyLength } = readPbkdf2(parameters);
    if (stated !== keyLength) throw new PkiError('bad-value', 'The key length does not fit the key wrap.');
    return await pbkdf2Bytes(password, { salt, iterations, digest, keyLength, budget: createDerivationBudget() });
  },
};

/** What OpenSSL refuses says nothing that a caller may tell. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function importedKey(spki: Uint8Array): KeyObject {
  const key = importPublicKey(spki);
  if (key === undefined) throw new PkiError('bad-key', 'The public key cannot be read.');
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

function agreeWith(publicKey: KeyObject): { ephemeralSpki: Uint8Array; secret: Uint8Array } {
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
 * A private key of node as the key of a recipient. With PKCS #1 v1.5, a padding that is wrong gives other octets: the
 * implicit rejection of OpenSSL.
 */
export function recipientKeyOf(privateKey: KeyObject): RecipientKey {
  if (privateKey.asymmetricKeyType === 'rsa')
    return {
      decrypt: async (transport, encryptedKey) =>
        attempt(() => plainBytes(privateDecrypt({ key: privateKey, ...paddingOf(transport) }, encryptedKey))),
    };
  return {
    agree: async (spki) => attempt(() => plainBytes(diffieHellman({ privateKey, publicKey: importedKey(spki) }))),
  };
}

/** OpenSSL has no single DES any more; triple DES with three equal keys is the same function. */
const availableCipher = (name: CbcCipherName, key: Uint8Array): { name: string; key: Uint8Array } =>
  name === 'des-cbc' ? { name: 'des-ede3-cbc', key: concatBytes([key, key, key]) } : { name, key };
