// Password-based encryption for PKCS #8 and PKCS #12, based on node:crypto: PBES2 (RFC 8018 §6.2) with AES or 3DES and,
// for old files, the PKCS #12 schemes with SHA-1 and 3DES or RC2 (RFC 7292 appendix C). Work requested by a file is
// limited before any of it is done.
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, scrypt } from 'node:crypto';
import {
  expectTag,
  openDer,
  openElement,
  parseDer,
  readIntegerBetween,
  readOctetString,
  readSmallInteger,
  type DerCursor,
  type DerElement,
} from '../der/reader.ts';
import { concatBytes, plainBytes } from '../bytes.ts';
import { encodeDer, integerPart, nullPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { encodeUtf8 } from '../der/text.ts';
import { createDerivationBudget, type DerivationBudget } from './derivation-budget.ts';
import { derivePkcs12, type Pkcs12Password } from './pkcs12-derivation.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { decryptRc2 } from '../pkcs12/rc2.ts';
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { TAG } from '../der/tags.ts';

/** Maximum iterations for one part of a file; the total for all parts is limited in derivation-budget.ts. */
export const MAX_ITERATIONS = 1_000_000;
/** Salts are 8 to 64 bytes; the limit only prevents a hostile salt from being hashed a million times. */
const MAX_SALT = 1024;
/** PBKDF2 iterations (HMAC-SHA-256) in generated files. */
const WRITTEN_ITERATIONS = 600_000;
/** Maximum memory for scrypt: 128 * N * r bytes. */
const MAX_SCRYPT_MEMORY = 64 * 1024 * 1024;

interface Cipher {
  readonly node: string;
  readonly keyLength: number;
}

const ciphers: ReadonlyMap<string, Cipher> = new Map([
  [OID.aes128Cbc, { node: 'aes-128-cbc', keyLength: 16 }],
  [OID.aes192Cbc, { node: 'aes-192-cbc', keyLength: 24 }],
  [OID.aes256Cbc, { node: 'aes-256-cbc', keyLength: 32 }],
  [OID.desEde3Cbc, { node: 'des-ede3-cbc', keyLength: 24 }],
]);

/** Digest lengths in bytes, by Node name. */
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

const prfs: ReadonlyMap<string, string> = new Map([
  [OID.hmacWithSha1, 'sha1'],
  [OID.hmacWithSha224, 'sha224'],
  [OID.hmacWithSha256, 'sha256'],
  [OID.hmacWithSha384, 'sha384'],
  [OID.hmacWithSha512, 'sha512'],
]);

type Decrypt = (input: { key: Uint8Array; iv: Uint8Array; data: Uint8Array }) => Uint8Array;

/** The schemes from RFC 7292 appendix C, all with 8-byte initialization vectors. */
const oldSchemes: ReadonlyMap<string, { readonly keyLength: number; readonly decrypt: Decrypt }> = new Map([
  [
    OID.pbeSha1TripleDes,
    { keyLength: 24, decrypt: (input) => decipher({ node: 'des-ede3-cbc', keyLength: 24 }, input) },
  ],
  [OID.pbeSha1Rc2_128, { keyLength: 16, decrypt: decryptRc2 }],
  [OID.pbeSha1Rc2_40, { keyLength: 5, decrypt: decryptRc2 }],
]);

/** Names of rejected algorithms in old files, for error messages. */
const refused: ReadonlyMap<string, string> = new Map([
  [OID.pbeSha1Rc4_128, 'RC4 with 128 bits'],
  [OID.pbeSha1Rc4_40, 'RC4 with 40 bits'],
  [OID.pbeSha1TripleDes2Key, 'two-key 3DES'],
  [OID.rc2Cbc, 'RC2'],
  [OID.desCbc, 'DES'],
  ['1.2.840.113549.1.5.3', 'PBES1 with MD5 and DES'],
  ['1.2.840.113549.1.5.6', 'PBES1 with MD5 and RC2'],
  ['1.2.840.113549.1.5.10', 'PBES1 with SHA-1 and DES'],
  ['1.2.840.113549.1.5.11', 'PBES1 with SHA-1 and RC2'],
]);

function unsupported(oid: string): PkiError {
  const name = refused.get(oid) ?? oid;
  return new PkiError(
    'unsupported-algorithm',
    `Encryption with ${name} is not supported. Re-encrypt the file with AES.`,
  );
}

function readIterations(cursor: DerCursor): number {
  const count = readSmallInteger(cursor.take(TAG.integer));
  if (count < 1 || count > MAX_ITERATIONS) {
    throw new PkiError('bound-exceeded', `The file requires ${count} iterations; the maximum is ${MAX_ITERATIONS}.`);
  }
  return count;
}

function readSalt(element: DerElement): Uint8Array {
  const salt = readOctetString(element);
  if (salt.length > MAX_SALT) throw new PkiError('bound-exceeded', 'The salt is too long.');
  return salt;
}

export interface EncryptedInput {
  readonly data: Uint8Array;
  readonly password: Pkcs12Password;
  /** Budget for the entire file. */
  readonly budget: DerivationBudget;
}

/**
 * Decrypts content according to its AlgorithmIdentifier. Throws `PkiError`: `unsupported-algorithm` with the algorithm,
 * `bound-exceeded`, `wrong-password` if the padding is invalid (not every wrong password is detected here).
 */
export async function decryptWithPassword(algorithm: AlgorithmIdentifier, input: EncryptedInput): Promise<Uint8Array> {
  if (algorithm.oid === OID.pbes2) return await decryptPbes2(algorithm, input);
  return await decryptLegacyScheme(algorithm, input);
}

function parametersOf(algorithm: AlgorithmIdentifier): DerElement {
  if (algorithm.parameters !== undefined) return algorithm.parameters;
  throw new PkiError('unsupported-algorithm', `The parameters of algorithm ${algorithm.oid} are missing.`);
}

async function decryptPbes2(
  algorithm: AlgorithmIdentifier,
  { data, password, budget }: EncryptedInput,
): Promise<Uint8Array> {
  const cursor = openElement(parametersOf(algorithm), TAG.sequence);
  const derivation = readAlgorithm(cursor.next());
  const scheme = readAlgorithm(cursor.next());
  cursor.finish();
  const cipher = ciphers.get(scheme.oid);
  if (cipher === undefined) throw unsupported(scheme.oid);
  const iv = readOctetString(parametersOf(scheme));
  const key = await deriveKey(derivation, { password, budget, keyLength: cipher.keyLength });
  return decipher(cipher, { key, iv, data });
}

function decipher(cipher: Cipher, input: { key: Uint8Array; iv: Uint8Array; data: Uint8Array }): Uint8Array {
  const { key, iv, data } = input;
  const blockLength = cipher.node === 'des-ede3-cbc' ? 8 : 16;
  if (iv.length !== blockLength || data.length === 0 || data.length % blockLength !== 0) {
    throw new PkiError('bad-value', 'The length of the encrypted content does not match its cipher.');
  }
  try {
    const decryption = createDecipheriv(cipher.node, key, iv);
    return concatBytes([decryption.update(data), decryption.final()]);
  } catch (cause) {
    throw new PkiError('wrong-password', 'Cannot decrypt the content: the password is wrong.', { cause });
  } finally {
    key.fill(0);
  }
}

interface DerivedKeySpec {
  readonly password: Pkcs12Password;
  readonly budget: DerivationBudget;
  readonly keyLength: number;
}

async function deriveKey(
  derivation: AlgorithmIdentifier,
  { password, budget, keyLength }: DerivedKeySpec,
): Promise<Uint8Array> {
  if (derivation.oid === OID.scrypt) return await deriveScrypt(derivation, { password, budget, keyLength });
  if (derivation.oid !== OID.pbkdf2) throw unsupported(derivation.oid);
  const { salt, iterations, digest, keyLength: stated } = readPbkdf2(parametersOf(derivation));
  if (stated !== undefined && stated !== keyLength)
    throw new PkiError('bad-value', 'The key length does not match the cipher.');
  return await pbkdf2Bytes(password, { salt, iterations, digest, keyLength, budget });
}

export interface Pbkdf2Parameters {
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly digest: string;
  readonly keyLength: number | undefined;
}

/** Reads PBKDF2-params (RFC 8018 appendix A.2). The default pseudorandom function is HMAC with SHA-1. */
export function readPbkdf2(parameters: DerElement): Pbkdf2Parameters {
  const cursor = openElement(parameters, TAG.sequence);
  const salt = readSalt(cursor.next());
  const iterations = readIterations(cursor);
  const length = cursor.optional(TAG.integer);
  const keyLength = length && readIntegerBetween(length, { min: 1, max: 1024 });
  let digest: string | undefined = 'sha1';
  if (!cursor.atEnd) {
    const prf = readAlgorithm(cursor.next());
    digest = prfs.get(prf.oid);
    if (digest === undefined) throw unsupported(prf.oid);
  }
  cursor.finish();
  return { salt, iterations, digest, keyLength };
}

/** Runs PBKDF2 on the thread pool. */
export async function pbkdf2Bytes(
  password: Pkcs12Password,
  options: { salt: Uint8Array; iterations: number; digest: string; keyLength: number; budget: DerivationBudget },
): Promise<Uint8Array> {
  const { salt, iterations, digest, keyLength, budget } = options;
  // Each output block requires all iterations.
  budget.spend('pbkdf2', iterations * Math.ceil(keyLength / (DIGEST_LENGTHS[digest] ?? 20)));
  return await new Promise((resolve, reject) => {
    pbkdf2(encodeUtf8(password ?? ''), salt, iterations, keyLength, digest, (error, key) => {
      if (error) reject(new PkiError('bad-value', 'Key derivation failed.', { cause: error }));
      else resolve(plainBytes(key));
    });
  });
}

/** RFC 7914 §7. */
async function deriveScrypt(
  derivation: AlgorithmIdentifier,
  { password, budget, keyLength }: DerivedKeySpec,
): Promise<Uint8Array> {
  const cursor = openElement(parametersOf(derivation), TAG.sequence);
  const salt = readSalt(cursor.next());
  const cost = readSmallInteger(cursor.take(TAG.integer));
  const blockSize = readSmallInteger(cursor.take(TAG.integer));
  const parallelization = readSmallInteger(cursor.take(TAG.integer));
  if (!cursor.atEnd) cursor.take(TAG.integer);
  cursor.finish();
  const isSmall = cost * blockSize * 128 <= MAX_SCRYPT_MEMORY && parallelization * blockSize * 128 <= MAX_SCRYPT_MEMORY;
  if (cost < 2 || blockSize < 1 || parallelization < 1 || parallelization > 16 || !isSmall) {
    throw new PkiError('bound-exceeded', "The file's scrypt parameters require too much work or memory.");
  }
  budget.spend('scrypt', cost * blockSize * parallelization);
  const options = { N: cost, r: blockSize, p: parallelization, maxmem: 2 * MAX_SCRYPT_MEMORY };
  return await new Promise((resolve, reject) => {
    scrypt(encodeUtf8(password ?? ''), salt, keyLength, options, (error, key) => {
      if (error) reject(new PkiError('bad-value', 'Key derivation failed.', { cause: error }));
      else resolve(plainBytes(key));
    });
  });
}

async function decryptLegacyScheme(
  algorithm: AlgorithmIdentifier,
  { data, password, budget }: EncryptedInput,
): Promise<Uint8Array> {
  const scheme = oldSchemes.get(algorithm.oid);
  if (scheme === undefined) throw unsupported(algorithm.oid);
  const { keyLength, decrypt } = scheme;
  const cursor = openElement(parametersOf(algorithm), TAG.sequence);
  const salt = readSalt(cursor.next());
  const iterations = readIterations(cursor);
  cursor.finish();
  // The key needs one or two digests, the initialization vector one.
  budget.spend('pkcs12', (Math.ceil(keyLength / 20) + 1) * iterations);
  const derive = (purpose: 1 | 2, length: number): Promise<Uint8Array> =>
    derivePkcs12(password, { purpose, salt, iterations, digest: 'sha1', length });
  const key = await derive(1, keyLength);
  const iv = await derive(2, 8);
  try {
    return decrypt({ key, iv, data });
  } finally {
    key.fill(0);
  }
}

/**
 * Returns the PKCS #8 bytes of an EncryptedPrivateKeyInfo (RFC 5958 §3). Throws the same errors as
 * `decryptWithPassword`.
 */
export const decryptPrivateKeyInfo = (der: Uint8Array, password: Pkcs12Password): Promise<Uint8Array> =>
  decryptPrivateKeyPart(der, { password, budget: createDerivationBudget() });

/** Same as `decryptPrivateKeyInfo`, for a key that is part of a larger file. */
export async function decryptPrivateKeyPart(
  der: Uint8Array,
  { password, budget }: Pick<EncryptedInput, 'password' | 'budget'>,
): Promise<Uint8Array> {
  const cursor = openDer(der);
  const algorithm = readAlgorithm(cursor.next());
  const data = readOctetString(cursor.next());
  cursor.finish();
  const pkcs8 = await decryptWithPassword(algorithm, { data, password, budget });
  try {
    expectTag(parseDer(pkcs8), TAG.sequence);
  } catch (cause) {
    throw new PkiError('wrong-password', 'The private key password is wrong.', { cause });
  }
  return pkcs8;
}

/** Returns an EncryptedPrivateKeyInfo that uses PBES2 with AES-256-CBC and PBKDF2 with HMAC-SHA-256. */
export async function encryptPrivateKeyInfo(pkcs8: Uint8Array, password: string): Promise<Uint8Array> {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const iterations = WRITTEN_ITERATIONS;
  const key = await pbkdf2Bytes(password, {
    salt,
    iterations,
    digest: 'sha256',
    keyLength: 32,
    budget: createDerivationBudget(),
  });
  const encryption = createCipheriv('aes-256-cbc', key, iv);
  const data = concatBytes([encryption.update(pkcs8), encryption.final()]);
  key.fill(0);
  const derivation = sequence([
    oidPart(OID.pbkdf2),
    sequence([octetStringPart(salt), integerPart(iterations), sequence([oidPart(OID.hmacWithSha256), nullPart()])]),
  ]);
  const scheme = sequence([oidPart(OID.aes256Cbc), octetStringPart(iv)]);
  const algorithm = sequence([oidPart(OID.pbes2), sequence([derivation, scheme])]);
  return encodeDer(sequence([algorithm, octetStringPart(data)]));
}
