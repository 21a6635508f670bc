// Decryption of EnvelopedData and AuthEnvelopedData with a recipient's key or a password. Any key, padding or tag
// failure returns the same error after the same amount of work, because a difference would be a decryption oracle (RFC
// 3218, RFC 5652 §14). Servers must return the same error if the decrypted content is meaningless.
import { decryptContent, readCbcCipher, readGcmCipher } from './content-encryption.ts';
import { identifiesCertificate } from './certificate-identifier.ts';
import { openKemRecipient } from './kem-recipient.ts';
import { originatorSpki } from './enveloped-data.ts';
import { OID } from '../oids.ts';
import { readAlgorithm } from '../algorithms.ts';
import { PkiError } from '../errors.ts';
import {
  deriveWrappingKey,
  readKeyAgreement,
  readKeyTransport,
  unwrapWithPassword,
  wrappingKeyLength,
} from './key-encryption.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { CmsCrypto, RecipientKey } from './cms-crypto.ts';
import type {
  EnvelopedData,
  KeyAgreementRecipient,
  KeyTransportRecipient,
  PasswordRecipient,
} from './enveloped-data.ts';

/** The recipient's certificate and key, or the password. */
export type EnvelopeOpener = (
  { readonly certificate: Certificate; readonly key: RecipientKey } | { readonly password: string }
) & {
  /** Allows single DES, for old devices that support nothing better. Rejected by default. */
  readonly allowsSingleDes?: boolean;
};

/**
 * Decrypts an envelope. Throws `PkiError`: `no-recipient` if it is for other recipients, `unsupported-algorithm` with
 * the algorithm's name, `bound-exceeded` for excessive iteration counts, `cannot-decrypt` for any failure related to
 * keys or encrypted bytes; `DerError` for malformed parameters.
 */
export async function openEnvelope(
  envelope: EnvelopedData,
  opener: EnvelopeOpener,
  crypto: CmsCrypto,
): Promise<Uint8Array> {
  const { keyLength, decrypt } = contentDecryption(envelope, opener, crypto);
  const key = await contentKey(envelope, { opener, keyLength, crypto });
  const content = decrypt(key);
  key.fill(0);
  if (content !== undefined) return content;
  throw new PkiError('cannot-decrypt', 'Cannot decrypt the content with this key.');
}

interface ContentDecryption {
  readonly keyLength: number;
  /** Returns `undefined` if decryption fails. */
  readonly decrypt: (key: Uint8Array) => Uint8Array | undefined;
}

function contentDecryption(
  { algorithm, authentication, encryptedContent: data }: EnvelopedData,
  { allowsSingleDes = false }: EnvelopeOpener,
  crypto: CmsCrypto,
): ContentDecryption {
  if (authentication === undefined) {
    const cipher = readCbcCipher(algorithm, { allowsSingleDes });
    return { keyLength: cipher.keyLength, decrypt: (key) => decryptContent(cipher, { key, data }, crypto) };
  }
  const { tag, attributes: associatedData } = authentication;
  const { name, keyLength, nonce, tagLength } = readGcmCipher(algorithm);
  return {
    keyLength,
    decrypt: (key) =>
      tag.length === tagLength ? crypto.decryptGcm(name, { key, nonce, data, associatedData, tag }) : undefined,
  };
}

interface ContentKeySpec {
  readonly opener: EnvelopeOpener;
  readonly keyLength: number;
  readonly crypto: CmsCrypto;
}

/**
 * Returns the content key. If decrypting it fails, returns a random key, so that content decryption fails instead (RFC
 * 3218 §2.3.2).
 */
async function contentKey(envelope: EnvelopedData, wish: ContentKeySpec): Promise<Uint8Array> {
  const { opener, keyLength, crypto } = wish;
  const substitute = crypto.randomBytes(keyLength);
  const opened =
    'password' in opener
      ? await keyForPassword(envelope, { password: opener.password, crypto })
      : await keyForCertificate(envelope, opener, crypto);
  return Uint8Array.from(opened?.length === keyLength ? opened : substitute);
}

async function keyForPassword(
  { recipients }: EnvelopedData,
  { password, crypto }: { password: string; crypto: CmsCrypto },
): Promise<Uint8Array | undefined> {
  const recipient = recipients.find((each): each is PasswordRecipient => each.kind === 'password');
  if (recipient === undefined) throw new PkiError('no-recipient', 'The content is not encrypted with a password.');
  const { derivation, algorithm, encryptedKey } = recipient;
  if (derivation === undefined)
    throw new PkiError(
      'unsupported-algorithm',
      'The content does not specify how to derive the key from the password.',
    );
  if (algorithm.oid !== OID.pwriKek) {
    const keyLength = wrappingKeyLength(algorithm);
    return crypto.unwrapKey(await crypto.deriveKey(password, { derivation, keyLength }), encryptedKey);
  }
  if (algorithm.parameters === undefined)
    throw new PkiError('unsupported-algorithm', 'The password-based key wrap does not specify its cipher.');
  const cipher = readCbcCipher(readAlgorithm(algorithm.parameters), { where: 'content key' });
  const wrappingKey = await crypto.deriveKey(password, { derivation, keyLength: cipher.keyLength });
  return unwrapWithPassword(cipher, { wrappingKey, wrapped: encryptedKey }, crypto);
}

async function keyForCertificate(
  { recipients }: EnvelopedData,
  { certificate, key }: { certificate: Certificate; key: RecipientKey },
  crypto: CmsCrypto,
): Promise<Uint8Array | undefined> {
  const isOwnIdentifier = ({ identifier }: Pick<KeyTransportRecipient, 'identifier'>): boolean =>
    identifiesCertificate(identifier, certificate, crypto.digest);
  for (const recipient of recipients) {
    if (recipient.kind === 'keyTransport' && isOwnIdentifier(recipient))
      return await decryptTransportedKey(recipient, key);
    if (recipient.kind === 'kem' && isOwnIdentifier(recipient))
      return await openKemRecipient(recipient, { key, keyAlgorithm: certificate.publicKey.algorithm.oid, crypto });
    const agreed = recipient.kind === 'keyAgreement' ? recipient.keys.find(isOwnIdentifier) : undefined;
    if (recipient.kind === 'keyAgreement' && agreed !== undefined)
      return await decryptAgreedKey(recipient, { encryptedKey: agreed.encryptedKey, certificate, key, crypto });
  }
  throw new PkiError('no-recipient', 'The content is not encrypted for this certificate.');
}

async function decryptTransportedKey(
  { algorithm, encryptedKey }: KeyTransportRecipient,
  { decrypt }: RecipientKey,
): Promise<Uint8Array | undefined> {
  const transport = readKeyTransport(algorithm);
  if (decrypt === undefined)
    throw new PkiError('bad-key', 'The key does not support decryption. The content requires an RSA key.');
  return await decrypt(transport, encryptedKey);
}

async function decryptAgreedKey(
  recipient: KeyAgreementRecipient,
  {
    encryptedKey,
    certificate,
    key,
    crypto,
  }: {
    encryptedKey: Uint8Array;
    certificate: Certificate;
    key: RecipientKey;
    crypto: CmsCrypto;
  },
): Promise<Uint8Array | undefined> {
  const { digest, wrap } = readKeyAgreement(recipient.algorithm);
  const keyLength = wrappingKeyLength(wrap);
  if (recipient.originator === undefined)
    throw new PkiError('unsupported-algorithm', "Key agreement with the sender's certificate key is not supported.");
  if (key.agree === undefined)
    throw new PkiError('bad-key', 'The key does not support key agreement. Use an EC or X25519 key.');
  const { originator, userKeyingMaterial } = recipient;
  if (originator.algorithm.oid !== certificate.publicKey.algorithm.oid) return undefined;
  const secret = await key.agree(originatorSpki(originator, certificate.publicKey.algorithm));
  if (secret === undefined) return undefined;
  const input = { secret, digestName: digest, wrapDer: wrap.der, keyLength, userKeyingMaterial };
  return crypto.unwrapKey(deriveWrappingKey(input, crypto.digest), encryptedKey);
}
