// Private key formats (RFC 5958): OneAsymmetricKey, whose version 1 is PKCS #8, and AsymmetricKeyPackage, which
// certificate protocols sign and encrypt.
import {
  DerCursor,
  elementBytes,
  openElement,
  parseDer,
  readBitStringBytes,
  readIntegerBetween,
  readOctetString,
  type DerElement,
} from '../der/reader.ts';
import { DerError, PkiError } from '../errors.ts';
import { encodeDer, sequence } from '../der/writer.ts';
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { readAttributes, type Attribute } from '../x509/attributes.ts';
import { TAG } from '../der/tags.ts';

/** Maximum number of keys; protocols send a single key. */
const MAX_KEYS = 100;

export interface OneAsymmetricKey {
  /** The whole element, in PKCS #8. Must never be logged. */
  readonly der: Uint8Array;
  readonly algorithm: AlgorithmIdentifier;
  /** Algorithm-specific encoding. Must never be logged. */
  readonly privateKey: Uint8Array;
  readonly attributes: readonly Attribute[];
  /** BIT STRING contents; undefined in version 1. */
  readonly publicKey: Uint8Array | undefined;
}

/** Reads a OneAsymmetricKey of either version in DER (RFC 5958 §2). Throws `DerError`. */
export function parseOneAsymmetricKey(der: Uint8Array): OneAsymmetricKey {
  return readOneAsymmetricKey(parseDer(der));
}

function readOneAsymmetricKey(element: DerElement): OneAsymmetricKey {
  const cursor = openElement(element, TAG.sequence);
  const versionElement = cursor.next();
  const version = readIntegerBetween(versionElement, { min: 0, max: 1 });
  const algorithm = readAlgorithm(cursor.next());
  const privateKey = readOctetString(cursor.next());
  const attributeSet = cursor.optional(0xa0);
  const publicKey = cursor.optional(0x81);
  cursor.finish();
  if (publicKey !== undefined && version === 0)
    throw new DerError('bad-value', versionElement.start, 'A key that includes its public key must have version 2');
  return {
    der: elementBytes(element),
    algorithm,
    privateKey,
    attributes: attributeSet
      ? readAttributes(attributeSet).map(({ type, values }) => ({ type, values: values.map(elementBytes) }))
      : [],
    publicKey: publicKey && readBitStringBytes(publicKey, 0x81),
  };
}

/** Reads an AsymmetricKeyPackage in DER (RFC 5958 §2). Throws `DerError`. */
export function parseAsymmetricKeyPackage(der: Uint8Array): OneAsymmetricKey[] {
  const element = parseDer(der);
  const cursor: DerCursor = openElement(element, TAG.sequence);
  if (cursor.atEnd) throw new DerError('missing-element', element.start, 'A key package must contain at least one key');
  const keys: OneAsymmetricKey[] = [];
  while (!cursor.atEnd) {
    if (keys.length === MAX_KEYS) throw new DerError('too-many-elements', cursor.offset);
    keys.push(readOneAsymmetricKey(cursor.next()));
  }
  return keys;
}

/** Builds an AsymmetricKeyPackage from PKCS #8 keys. Throws `PkiError` `bad-argument` if there are none. */
export function buildAsymmetricKeyPackage(keys: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (keys.length === 0) throw new PkiError('bad-argument', 'A key package must contain at least one key.');
  return encodeDer(sequence(keys));
}
