// Content encryption (RFC 3565, RFC 5084, RFC 3370 §5.1): algorithms, parameters and padding.
import { concatBytes } from '../bytes.ts';
import { encodeDer, integerPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { expectTag, openElement, readIntegerBetween, readOctetString } from '../der/reader.ts';
import { DerError, PkiError } from '../errors.ts';
import { OID } from '../oids.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';
import type { CbcCipherName, CmsCrypto, GcmCipherName } from './cms-crypto.ts';

interface CipherFacts<Name> {
  readonly name: Name;
  readonly oid: string;
  /** Key length in bytes. */
  readonly keyLength: number;
}

const CBC_CIPHERS: readonly (CipherFacts<CbcCipherName> & { readonly blockLength: number })[] = [
  { name: 'aes-128-cbc', oid: OID.aes128Cbc, keyLength: 16, blockLength: 16 },
  { name: 'aes-192-cbc', oid: OID.aes192Cbc, keyLength: 24, blockLength: 16 },
  { name: 'aes-256-cbc', oid: OID.aes256Cbc, keyLength: 32, blockLength: 16 },
  { name: 'des-ede3-cbc', oid: OID.desEde3Cbc, keyLength: 24, blockLength: 8 },
];

/** Accepted only if the caller opts in: a 56-bit key can be found by brute force. */
const SINGLE_DES = { name: 'des-cbc', oid: OID.desCbc, keyLength: 8, blockLength: 8 } as const;

const GCM_CIPHERS: readonly CipherFacts<GcmCipherName>[] = [
  { name: 'aes-128-gcm', oid: OID.aes128Gcm, keyLength: 16 },
  { name: 'aes-192-gcm', oid: OID.aes192Gcm, keyLength: 24 },
  { name: 'aes-256-gcm', oid: OID.aes256Gcm, keyLength: 32 },
];

/** Names of rejected ciphers, for error messages. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  [OID.desCbc, 'single DES, which is broken'],
  [OID.rc2Cbc, 'RC2, which is broken'],
]);

const GCM_TAG_LENGTH = 16;
const GCM_NONCE_LENGTH = 12;
/**
 * RFC 5084 §3.2 allows tags shorter than 16 bytes, and GCM with such tags is not known to be broken (NIST SP 800-38D
 * §5.2.1.2).
 */
const MIN_GCM_TAG_LENGTH = 12;

function unsupported(oid: string, where: string): PkiError {
  const name = REFUSED.get(oid) ?? oid;
  return new PkiError('unsupported-algorithm', `The ${where} is encrypted with ${name}. Use AES.`);
}

/** A CBC cipher with its initialization vector. */
export interface CbcCipher {
  readonly name: CbcCipherName;
  readonly keyLength: number;
  readonly blockLength: number;
  readonly iv: Uint8Array;
}

export interface CbcOptions {
  /** Name of the encrypted part, for error messages. */
  readonly where?: string;
  readonly allowsSingleDes?: boolean;
}

/**
 * Reads a CBC cipher. Throws `PkiError` `unsupported-algorithm` with the cipher's name, `DerError` for malformed
 * parameters.
 */
export function readCbcCipher(
  { oid, parameters }: AlgorithmIdentifier,
  { where = 'content', allowsSingleDes = false }: CbcOptions = {},
): CbcCipher {
  const ciphers = allowsSingleDes ? [...CBC_CIPHERS, SINGLE_DES] : CBC_CIPHERS;
  const facts = ciphers.find((each) => each.oid === oid);
  if (facts === undefined) throw unsupported(oid, where);
  const { name, keyLength, blockLength } = facts;
  if (parameters === undefined) throw new DerError('missing-element', 0);
  const iv = readOctetString(parameters);
  if (iv.length !== blockLength)
    throw new DerError('bad-value', parameters.start, 'The initialization vector must be one block long');
  return { name, keyLength, blockLength, iv };
}

export interface GcmCipher {
  readonly name: GcmCipherName;
  readonly keyLength: number;
  readonly nonce: Uint8Array;
  readonly tagLength: number;
}

/** Reads GCMParameters (RFC 5084 §3.2). Throws the same errors as `readCbcCipher`. */
export function readGcmCipher({ oid, parameters }: AlgorithmIdentifier): GcmCipher {
  const facts = GCM_CIPHERS.find((each) => each.oid === oid);
  if (facts === undefined) throw unsupported(oid, 'content');
  if (parameters === undefined) throw new DerError('missing-element', 0);
  const cursor = openElement(parameters, TAG.sequence);
  const nonceElement = cursor.next();
  expectTag(nonceElement, TAG.octetString);
  const nonce = readOctetString(nonceElement);
  const length = cursor.optional(TAG.integer);
  cursor.finish();
  if (nonce.length < 8 || nonce.length > 128)
    throw new DerError('bad-value', nonceElement.start, 'The nonce must have 8 to 128 bytes');
  const tagLength = length ? readIntegerBetween(length, { min: MIN_GCM_TAG_LENGTH, max: GCM_TAG_LENGTH }) : 12;
  return { name: facts.name, keyLength: facts.keyLength, nonce, tagLength };
}

/** Creates a CBC cipher with a random initialization vector, and its AlgorithmIdentifier. */
export function newCbcCipher(name: CbcCipherName, crypto: CmsCrypto): CbcCipher & { readonly der: Uint8Array } {
  const { oid, keyLength, blockLength } = factsOf([...CBC_CIPHERS, SINGLE_DES], name);
  const iv = crypto.randomBytes(blockLength);
  return { name, keyLength, blockLength, iv, der: encodeDer(sequence([oidPart(oid), octetStringPart(iv)])) };
}

/** Creates a GCM cipher with a random nonce, and its AlgorithmIdentifier. */
export function newGcmCipher(name: GcmCipherName, crypto: CmsCrypto): GcmCipher & { readonly der: Uint8Array } {
  const { oid, keyLength } = factsOf(GCM_CIPHERS, name);
  const nonce = crypto.randomBytes(GCM_NONCE_LENGTH);
  const parameters = sequence([octetStringPart(nonce), integerPart(GCM_TAG_LENGTH)]);
  const der = encodeDer(sequence([oidPart(oid), parameters]));
  return { name, keyLength, nonce, tagLength: GCM_TAG_LENGTH, der };
}

function factsOf<Name extends string, Facts extends CipherFacts<Name>>(ciphers: readonly Facts[], name: Name): Facts {
  const facts = ciphers.find((each) => each.name === name);
  if (facts === undefined) throw new PkiError('unsupported-algorithm', `Cipher ${name} is not supported.`);
  return facts;
}

/** Adds padding (RFC 5652 §6.3) and encrypts. */
export function encryptContent(
  cipher: CbcCipher,
  input: { key: Uint8Array; content: Uint8Array },
  crypto: CmsCrypto,
): Uint8Array {
  const { name, blockLength, iv } = cipher;
  const padding = blockLength - (input.content.length % blockLength);
  const data = concatBytes([input.content, new Uint8Array(padding).fill(padding)]);
  return crypto.encryptCbc(name, { key: input.key, iv, data });
}

/**
 * Decrypts and removes the padding. Returns `undefined` on any error, without revealing through timing where the
 * padding is wrong.
 */
export function decryptContent(
  cipher: CbcCipher,
  input: { key: Uint8Array; data: Uint8Array },
  crypto: CmsCrypto,
): Uint8Array | undefined {
  const { name, blockLength, iv } = cipher;
  const { key, data } = input;
  if (data.length === 0 || data.length % blockLength !== 0) return undefined;
  const padded = crypto.decryptCbc(name, { key, iv, data });
  const padding = padded.at(-1) ?? 0;
  let wrong = Number(padding === 0) | Number(padding > blockLength);
  for (let i = 1; i <= blockLength; i++) {
    const octet = padded[padded.length - i] ?? 0;
    wrong |= Number(i <= padding) * (octet ^ padding);
  }
  return wrong === 0 ? padded.subarray(0, padded.length - padding) : undefined;
}
