// EncryptedKey (RFC 4211 §2.1, RFC 9810 §5.2.2): CMS EnvelopedData since CMP version 3, EncryptedValue before.
import { contentBytes, DerCursor, openElement, readBitStringBytes, type DerElement } from '../der/reader.ts';
import { bitStringPart, octetStringPart, sequence, type DerPart } from '../der/writer.ts';
import { DerError } from '../errors.ts';
import { readImplicitAlgorithm } from './implicit-algorithm.ts';
import { retag, retagElement } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';

/** EncryptedValue, with the algorithms of its key and content (RFC 4211 §2.1). */
export interface EncryptedValue {
  /** Algorithm of the encrypted private key. */
  readonly intendedAlgorithm?: AlgorithmIdentifier | undefined;
  /** Algorithm that encrypts the value. */
  readonly symmetricAlgorithm?: AlgorithmIdentifier | undefined;
  readonly encryptedSymmetricKey?: Uint8Array | undefined;
  /** Algorithm that encrypts the symmetric key. */
  readonly keyAlgorithm?: AlgorithmIdentifier | undefined;
  readonly valueHint?: Uint8Array | undefined;
  readonly encryptedValue: Uint8Array;
}

export type EncryptedKey =
  | { readonly kind: 'encryptedValue'; readonly value: EncryptedValue }
  /** `envelopedData` is a CMS EnvelopedData SEQUENCE (RFC 5652 §6.1) without its ContentInfo. */
  | { readonly kind: 'envelopedData'; readonly envelopedData: Uint8Array };

/** Reads an EncryptedKey without decrypting it. Throws `DerError`. */
export function readEncryptedKey(element: DerElement): EncryptedKey {
  if (element.tag === TAG.sequence) return { kind: 'encryptedValue', value: readEncryptedValue(element) };
  if (element.tag !== 0xa0) throw new DerError('unexpected-tag', element.start);
  new DerCursor(element).take(TAG.integer); // Every EnvelopedData starts with its version.
  return { kind: 'envelopedData', envelopedData: retagElement(element, TAG.sequence) };
}

function readEncryptedValue(element: DerElement): EncryptedValue {
  const cursor = openElement(element, TAG.sequence);
  const [intended, symmetric] = [cursor.optional(0xa0), cursor.optional(0xa1)];
  const key = cursor.optional(0x82);
  const keyAlgorithm = cursor.optional(0xa3);
  const hint = cursor.optional(0x84);
  const encryptedValue = readBitStringBytes(cursor.next());
  cursor.finish();
  return {
    intendedAlgorithm: intended && readImplicitAlgorithm(intended),
    symmetricAlgorithm: symmetric && readImplicitAlgorithm(symmetric),
    encryptedSymmetricKey: key && readBitStringBytes(key, 0x82),
    keyAlgorithm: keyAlgorithm && readImplicitAlgorithm(keyAlgorithm),
    valueHint: hint && contentBytes(hint),
    encryptedValue,
  };
}

/** Builds an EncryptedKey: a CMS EnvelopedData, or an EncryptedValue for version 2 clients. */
export function encryptedKeyPart(key: EncryptedKey): DerPart {
  if (key.kind === 'envelopedData') return retag(key.envelopedData, 0xa0);
  const { intendedAlgorithm, symmetricAlgorithm, encryptedSymmetricKey, keyAlgorithm, valueHint } = key.value;
  return sequence([
    intendedAlgorithm && retag(intendedAlgorithm.der, 0xa0),
    symmetricAlgorithm && retag(symmetricAlgorithm.der, 0xa1),
    encryptedSymmetricKey && bitStringPart(encryptedSymmetricKey, 0x82),
    keyAlgorithm && retag(keyAlgorithm.der, 0xa3),
    valueHint && octetStringPart(valueHint, 0x84),
    bitStringPart(key.value.encryptedValue),
  ]);
}
