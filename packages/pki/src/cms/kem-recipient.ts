// KEM recipients of enveloped data (RFC 9629), for ML-KEM keys (RFC 9936): a shared secret is encapsulated for the
// recipient, and the key derived from it wraps the content key.
import { aesWrapDer, wrappingKeyLength } from './key-encryption.ts';
import { certificateIdentifierPart, readCertificateIdentifier } from './certificate-identifier.ts';
import {
  constructed,
  encodeDer,
  explicitPart,
  integerPart,
  octetStringPart,
  oidPart,
  sequence,
} from '../der/writer.ts';
import {
  DerCursor,
  explicitContent,
  openElement,
  readIntegerBetween,
  readOctetString,
  readOid,
} from '../der/reader.ts';
import { parseAlgorithm, readAlgorithm, type AlgorithmIdentifier, type DigestName } from '../algorithms.ts';
import { PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import type { CertificateIdentifier } from './certificate-identifier.ts';
import type { CmsCrypto, RecipientKey } from './cms-crypto.ts';
import type { DerElement } from '../der/reader.ts';
import type { DerPart } from '../der/writer.ts';

/** id-ori-kem. */
const KEM_RECIPIENT = '1.2.840.113549.1.9.16.13.3';

export interface KemRecipient {
  readonly kind: 'kem';
  readonly identifier: CertificateIdentifier;
  readonly kem: AlgorithmIdentifier;
  readonly ciphertext: Uint8Array;
  readonly derivation: AlgorithmIdentifier;
  /** Length in bytes of the key that wraps the content key. */
  readonly keyLength: number;
  readonly userKeyingMaterial: Uint8Array | undefined;
  readonly wrap: AlgorithmIdentifier;
  readonly encryptedKey: Uint8Array;
}

/** Reads an OtherRecipientInfo; `undefined` if it is not a KEM recipient. Throws `DerError`. */
export function readKemRecipient(element: DerElement): KemRecipient | undefined {
  const outer = new DerCursor(element);
  const type = readOid(outer.next());
  const value = outer.next();
  outer.finish();
  if (type !== KEM_RECIPIENT) return undefined;
  const cursor = openElement(value, TAG.sequence);
  readIntegerBetween(cursor.next(), { min: 0, max: 0 });
  const identifier = readCertificateIdentifier(cursor.next());
  const kem = readAlgorithm(cursor.next());
  const ciphertext = readOctetString(cursor.next());
  const derivation = readAlgorithm(cursor.next());
  const keyLength = readIntegerBetween(cursor.next(), { min: 1, max: 65_535 });
  const material = cursor.optional(0xa0);
  const wrap = readAlgorithm(cursor.next());
  const encryptedKey = readOctetString(cursor.next());
  cursor.finish();
  const userKeyingMaterial = material && readOctetString(explicitContent(material));
  return {
    kind: 'kem', identifier, kem, ciphertext, derivation, keyLength, userKeyingMaterial, wrap, encryptedKey,
  }; // prettier-ignore
}

/** HKDF without a salt (RFC 8619 §2). */
const DERIVATIONS: ReadonlyMap<string, DigestName> = new Map([
  ['1.2.840.113549.1.9.16.3.28', 'sha256'],
  ['1.2.840.113549.1.9.16.3.29', 'sha384'],
  ['1.2.840.113549.1.9.16.3.30', 'sha512'],
]);
const HKDF_WITH_SHA256 = '1.2.840.113549.1.9.16.3.28';

/** Returns the DER of CMSORIforKEMOtherInfo (RFC 9629 §5). */
function derivationInfo({ wrap, keyLength, userKeyingMaterial }: DerivationFacts): Uint8Array {
  const material = userKeyingMaterial && explicitPart(0, octetStringPart(userKeyingMaterial));
  return encodeDer(sequence([wrap.der, integerPart(keyLength), material]));
}

type DerivationFacts = Pick<KemRecipient, 'wrap' | 'keyLength'> & {
  readonly userKeyingMaterial?: Uint8Array | undefined;
};

/**
 * Returns the content key, or `undefined` if decryption fails. Throws `PkiError`: `unsupported-algorithm`; `bad-key` if
 * the key is for a different algorithm.
 */
export async function openKemRecipient(
  recipient: KemRecipient,
  { key, keyAlgorithm, crypto }: { key: RecipientKey; keyAlgorithm: string; crypto: CmsCrypto },
): Promise<Uint8Array | undefined> {
  const { kem, ciphertext, derivation, keyLength, wrap, encryptedKey } = recipient;
  const digest = DERIVATIONS.get(derivation.oid);
  if (digest === undefined)
    throw new PkiError(
      'unsupported-algorithm',
      `Key derivation ${derivation.oid} is not supported for KEM recipients. Use HKDF with SHA-2.`,
    );
  if (wrappingKeyLength(wrap) !== keyLength)
    throw new PkiError('bad-value', 'The key length does not match the key wrap algorithm.');
  if (key.decapsulate === undefined || kem.oid !== keyAlgorithm)
    throw new PkiError('bad-key', `The key does not support decapsulation with ${kem.oid}. The content requires it.`);
  const secret = await key.decapsulate(ciphertext);
  if (secret === undefined) return undefined;
  const wrappingKey = crypto.hkdf(digest, { secret, info: derivationInfo(recipient), length: keyLength });
  return crypto.unwrapKey(wrappingKey, encryptedKey);
}

/** Builds an OtherRecipientInfo with HKDF-SHA-256; the wrapping key is as long as the content key. */
export function kemRecipientPart(
  recipient: { readonly identifier: CertificateIdentifier; readonly spki: Uint8Array; readonly kem: string },
  { key, crypto }: { key: Uint8Array; crypto: CmsCrypto },
): DerPart {
  const { ciphertext, secret } = crypto.encapsulate(recipient.spki);
  const wrap = parseAlgorithm(aesWrapDer(key.length));
  const keyLength = key.length;
  const wrappingKey = crypto.hkdf('sha256', { secret, info: derivationInfo({ wrap, keyLength }), length: keyLength });
  const info = sequence([
    integerPart(0),
    certificateIdentifierPart(recipient.identifier),
    sequence([oidPart(recipient.kem)]),
    octetStringPart(ciphertext),
    sequence([oidPart(HKDF_WITH_SHA256)]),
    integerPart(keyLength),
    wrap.der,
    octetStringPart(crypto.wrapKey(wrappingKey, key)),
  ]);
  return constructed(0xa4, [oidPart(KEM_RECIPIENT), info]);
}
