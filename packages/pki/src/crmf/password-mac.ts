// MACs with a key derived from a shared secret: id-PasswordBasedMac (RFC 4211 §4.4, RFC 9810 §5.1.3.1) and PBMAC1 (RFC
// 8018 appendix A.5, RFC 9481 §6.1). Senders choose the iteration count, so it is checked before any derivation.
import { bitStringPart, encodeDer, integerPart, nullPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { digestAlgorithmPart, digestFromOid, nextAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { DerCursor, openElement, readBitStringBytes, readIntegerBetween, type DerElement } from '../der/reader.ts';
import { elementBytes, readOctetString, readSmallInteger } from '../der/reader.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import type { DerPart } from '../der/writer.ts';
import type { DigestName } from '../algorithms.ts';

/** OIDs of algorithms that protect a message with a shared secret, by name. */
export const MESSAGE_MACS = {
  passwordBasedMac: '1.2.840.113533.7.66.13',
  dhBasedMac: '1.2.840.113533.7.66.30',
  kemBasedMac: '1.2.840.113533.7.66.16',
  pbmac1: OID.pbmac1,
} as const;

/** Cryptographic functions for MACs; `@signetry/pki/node` provides `nodeMacFunctions`. */
export interface PasswordMacFunctions {
  readonly hmac: (digest: DigestName, input: { key: Uint8Array; data: Uint8Array }) => Uint8Array;
  /** Applies the digest `iterations` times, starting with the data, without blocking the thread for long. */
  readonly repeatDigest: (digest: DigestName, input: { data: Uint8Array; iterations: number }) => Promise<Uint8Array>;
  readonly pbkdf2: (
    digest: DigestName,
    input: { secret: Uint8Array; salt: Uint8Array; iterations: number; length: number },
  ) => Promise<Uint8Array>;
}

/** Limits on MAC parameters chosen by the sender. */
export interface MacLimits {
  /**
   * Maximum number of iterations: those of the PasswordBasedMac one-way function, or of PBKDF2 multiplied by the number
   * of key blocks. Default: 100,000, the limit in OpenSSL.
   */
  readonly maxIterations?: number;
  /**
   * Allows SHA-1 as the one-way function, which RFC 9481 §6.1.1 no longer lists. HMAC with SHA-1, the default of
   * OpenSSL's client, is always allowed: it has no known weakness (RFC 6194 §3.3).
   */
  readonly allowSha1?: boolean;
}

const DEFAULT_MAX_ITERATIONS = 100_000;
/** Minimum from RFC 4211 §4.4. With fewer iterations, guessing the secret is too cheap. */
const MIN_ITERATIONS = 100;
/** Salts are 16 to 64 bytes long; the limit only prevents a huge salt from being hashed repeatedly. */
const MAX_SALT = 1024;
const MIN_WRITTEN_SALT = 16;
/** Maximum length of a PBMAC1 key in bytes; Siemens' CMP component derives 4,096. */
const MAX_KEY = 4_096;

/** SHA-1, in bytes. */
const SHORTEST_DIGEST = 20;

const DIGEST_LENGTHS: Readonly<Partial<Record<DigestName, number>>> = {
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
};

const HMACS: ReadonlyMap<string, DigestName> = new Map<string, DigestName>([
  [OID.hmacWithSha256, 'sha256'],
  [OID.hmacWithSha384, 'sha384'],
  [OID.hmacWithSha512, 'sha512'],
  [OID.hmacWithSha224, 'sha224'],
  [OID.hmacWithSha1, 'sha1'],
  ['1.3.6.1.5.5.8.1.2', 'sha1'], // id-HMAC-SHA1 from IKE, specified in RFC 4211 appendix A and written by OpenSSL.
  ['2.16.840.1.101.3.4.2.14', 'sha3-256'],
  ['2.16.840.1.101.3.4.2.15', 'sha3-384'],
  ['2.16.840.1.101.3.4.2.16', 'sha3-512'],
]);

export interface MacInput {
  /** Shared secret; text is encoded in UTF-8. */
  readonly secret: Uint8Array;
  readonly data: Uint8Array;
  readonly functions: PasswordMacFunctions;
  readonly limits?: MacLimits | undefined;
}

/**
 * Computes the MAC with PasswordBasedMac or PBMAC1, according to the algorithm parameters. Throws `PkiError`:
 * `unsupported-algorithm`, `bound-exceeded`, `DerError`.
 */
export async function passwordMac(algorithm: AlgorithmIdentifier, input: MacInput): Promise<Uint8Array> {
  const { digest, key } = await macKey(algorithm, input);
  const mac = input.functions.hmac(digest, { key, data: input.data });
  key.fill(0);
  return mac;
}

/** A MAC with a derived key, for any number of inputs. */
export interface DerivedMac {
  readonly algorithm: AlgorithmIdentifier;
  over(data: Uint8Array): Uint8Array;
}

/** Derives the MAC key, which is the expensive part. Throws the same errors as `passwordMac`. */
export async function deriveMac(algorithm: AlgorithmIdentifier, input: Omit<MacInput, 'data'>): Promise<DerivedMac> {
  const { digest, key } = await macKey(algorithm, input);
  return { algorithm, over: (data) => input.functions.hmac(digest, { key, data }) };
}

const macKey = async (algorithm: AlgorithmIdentifier, input: Omit<MacInput, 'data'>): Promise<MacKey> =>
  algorithm.oid === MESSAGE_MACS.passwordBasedMac
    ? passwordBasedKey(parametersOf(algorithm), input)
    : algorithm.oid === MESSAGE_MACS.pbmac1
      ? pbmac1Key(parametersOf(algorithm), input)
      : rejectAlgorithm(algorithm.oid);

/** Returns whether the MAC is valid, compared in constant time. Throws the same errors as `passwordMac`. */
export async function verifyPasswordMac(
  algorithm: AlgorithmIdentifier,
  { mac, ...input }: MacInput & { readonly mac: Uint8Array },
): Promise<boolean> {
  return equalInConstantTime(await passwordMac(algorithm, input), mac);
}

/** Compares in constant time. */
export function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  // The index is within both arrays.
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

function rejectAlgorithm(oid: string): never {
  const name =
    oid === MESSAGE_MACS.dhBasedMac
      ? 'DHBasedMac, a MAC with a Diffie-Hellman key,'
      : oid === MESSAGE_MACS.kemBasedMac
        ? 'KEM-based MAC'
        : `MAC algorithm ${oid}`;
  throw unsupported(`${name} is not supported. Use PBMAC1, PasswordBasedMac or a signature.`);
}

const unsupported = (message: string): PkiError => new PkiError('unsupported-algorithm', message);

function parametersOf(algorithm: AlgorithmIdentifier): DerElement {
  if (algorithm.parameters !== undefined) return algorithm.parameters;
  throw unsupported(`MAC algorithm ${algorithm.oid} must have parameters.`);
}

interface MacKey {
  readonly digest: DigestName;
  readonly key: Uint8Array;
}

/**
 * Returns the parameters that determine the cost of guessing a MAC's secret: salt length in bytes, and iterations.
 * Throws the same errors as `passwordMac`.
 */
export function macCosts(algorithm: AlgorithmIdentifier): {
  readonly saltLength: number;
  readonly iterations: number;
  /** Upper limit for the iterations of all key blocks. */
  readonly work: number;
} {
  const outer = openElement(parametersOf(algorithm), TAG.sequence);
  if (algorithm.oid === MESSAGE_MACS.passwordBasedMac) {
    const salt = readSalt(outer);
    nextAlgorithm(outer);
    const iterations = readSmallInteger(outer.next());
    return { saltLength: salt.length, iterations, work: iterations };
  }
  const derivation = openElement(parametersOf(nextAlgorithm(outer)), TAG.sequence);
  const saltLength = readSalt(derivation).length;
  const iterations = readSmallInteger(derivation.next());
  const length = derivation.optional(TAG.integer);
  const blocks = Math.ceil((length ? readSmallInteger(length) : SHORTEST_DIGEST) / SHORTEST_DIGEST);
  return { saltLength, iterations, work: iterations * blocks };
}

/** Returns the PBMAC1 algorithm with a different salt and otherwise the same parameters. Throws `DerError`. */
export function pbmac1WithSalt(algorithm: AlgorithmIdentifier, salt: Uint8Array): Uint8Array {
  const outer = openElement(parametersOf(algorithm), TAG.sequence);
  const derivation = nextAlgorithm(outer);
  const mac = elementBytes(outer.next());
  const cursor = openElement(parametersOf(derivation), TAG.sequence);
  cursor.next();
  const others: Uint8Array[] = [];
  while (!cursor.atEnd) others.push(elementBytes(cursor.next()));
  const parameters = sequence([octetStringPart(salt), ...others]);
  return encodeDer(
    sequence([oidPart(algorithm.oid), sequence([sequence([oidPart(derivation.oid), parameters]), mac])]),
  );
}

async function passwordBasedKey(
  parameters: DerElement,
  { secret, functions, limits = {} }: Omit<MacInput, 'data'>,
): Promise<MacKey> {
  const cursor = openElement(parameters, TAG.sequence);
  const salt = readSalt(cursor);
  const oneWay = nextAlgorithm(cursor);
  const iterations = readSmallInteger(cursor.next());
  const digest = hmacDigest(nextAlgorithm(cursor));
  cursor.finish();
  const { maxIterations = DEFAULT_MAX_ITERATIONS, allowSha1 = false } = limits;
  expectIterations(iterations, maxIterations);
  const hash = digestFromOid(oneWay.oid);
  if (hash === undefined || hash === 'md5') throw unsupported(`One-way function ${oneWay.oid} is not supported.`);
  if (hash === 'sha1' && !allowSha1)
    throw unsupported('SHA-1 is not allowed as the one-way function of a MAC. Use SHA-256.');
  const data = new Uint8Array(secret.length + salt.length);
  data.set(secret);
  data.set(salt, secret.length);
  const key = await functions.repeatDigest(hash, { data, iterations });
  data.fill(0);
  return { digest, key };
}

/** Derives a PBMAC1 key (RFC 8018 appendix A.5). The parameters specify both PBKDF2 and the HMAC. */
async function pbmac1Key(
  parameters: DerElement,
  { secret, functions, limits = {} }: Omit<MacInput, 'data'>,
): Promise<MacKey> {
  const outer = openElement(parameters, TAG.sequence);
  const derivation = nextAlgorithm(outer);
  const digest = hmacDigest(nextAlgorithm(outer));
  outer.finish();
  if (derivation.oid !== OID.pbkdf2)
    throw unsupported(`PBMAC1 with key derivation function ${derivation.oid} is not supported.`);
  const cursor = openElement(parametersOf(derivation), TAG.sequence);
  const salt = readSalt(cursor);
  const iterations = readSmallInteger(cursor.next());
  const stated = cursor.optional(TAG.integer);
  // SHA-1 is the default in RFC 8018 appendix A.2.
  const prf = cursor.atEnd ? 'sha1' : hmacDigest(nextAlgorithm(cursor));
  cursor.finish();
  // An HMAC accepts keys of any length, so the key length must be explicit (RFC 9579 §5).
  if (stated === undefined) throw unsupported('PBMAC1 must specify its key length.');
  const length = readIntegerBetween(stated, { min: 1, max: MAX_KEY });
  const blocks = Math.ceil(length / (DIGEST_LENGTHS[prf] ?? 20));
  expectIterations(iterations, limits.maxIterations ?? DEFAULT_MAX_ITERATIONS, blocks);
  return { digest, key: await functions.pbkdf2(prf, { secret, salt, iterations, length }) };
}

function readSalt(cursor: DerCursor): Uint8Array {
  const salt = readOctetString(cursor.next());
  if (salt.length <= MAX_SALT) return salt;
  throw new PkiError('bound-exceeded', `The MAC salt exceeds ${MAX_SALT} bytes.`);
}

/** `blocks` is the number of key blocks, each of which takes all iterations. */
function expectIterations(iterations: number, max: number, blocks = 1): void {
  if (iterations >= MIN_ITERATIONS && iterations * blocks <= max) return;
  const specified = blocks === 1 ? '' : ` for each of ${blocks} key blocks (${iterations * blocks} in total)`;
  throw new PkiError(
    'bound-exceeded',
    `The MAC specifies ${iterations} iterations${specified}; ${MIN_ITERATIONS} to ${max} are accepted.`,
  );
}

function hmacDigest({ oid }: AlgorithmIdentifier): DigestName {
  const digest = HMACS.get(oid);
  if (digest === undefined) throw unsupported(`MAC algorithm ${oid} is not supported. Use an HMAC with SHA-2.`);
  return digest;
}

/** Salt, iteration count and digests of a new MAC. */
export interface PasswordMacInput {
  /** At least 16 random bytes. */
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** Digest for key derivation. Default: SHA-256. */
  readonly digest?: DigestName;
  /** Digest for the HMAC. Default: SHA-256. */
  readonly hmacDigest?: DigestName;
}

/** Returns an AlgorithmIdentifier for PasswordBasedMac. Throws `PkiError` `bad-argument`. */
export function passwordBasedMacAlgorithm(input: PasswordMacInput): Uint8Array {
  const { salt, iterations, digest = 'sha256', hmacDigest: mac = 'sha256' } = validateInput(input);
  const parameters = [octetStringPart(salt), digestAlgorithmPart(digest), integerPart(iterations), hmacPart(mac)];
  return encodeDer(sequence([oidPart(MESSAGE_MACS.passwordBasedMac), sequence(parameters)]));
}

/** Returns an AlgorithmIdentifier for PBMAC1 with a key as long as the digest. Throws `PkiError` `bad-argument`. */
export function pbmac1Algorithm(input: PasswordMacInput): Uint8Array {
  const { salt, iterations, digest = 'sha256', hmacDigest: mac = 'sha256' } = validateInput(input);
  const derivation = [
    octetStringPart(salt),
    integerPart(iterations),
    integerPart(DIGEST_LENGTHS[mac] ?? 32),
    digest === 'sha1' ? undefined : hmacPart(digest),
  ];
  const parameters = [sequence([oidPart(OID.pbkdf2), sequence(derivation)]), hmacPart(mac)];
  return encodeDer(sequence([oidPart(MESSAGE_MACS.pbmac1), sequence(parameters)]));
}

function validateInput(input: PasswordMacInput): PasswordMacInput {
  if (input.salt.length < MIN_WRITTEN_SALT || input.salt.length > MAX_SALT)
    throw new PkiError('bad-argument', `A MAC salt must have ${MIN_WRITTEN_SALT} to ${MAX_SALT} bytes.`);
  if (!Number.isSafeInteger(input.iterations) || input.iterations < MIN_ITERATIONS)
    throw new PkiError('bad-argument', `A MAC key must be derived with at least ${MIN_ITERATIONS} iterations.`);
  return input;
}

function hmacPart(digest: DigestName): DerPart {
  for (const [oid, name] of HMACS) if (name === digest) return sequence([oidPart(oid), nullPart()]);
  throw new PkiError('bad-argument', `HMAC with ${digest} is not supported.`);
}

/** PKMACValue (RFC 4211 §4.1): a MAC with its algorithm. */
export interface PkMacValue {
  readonly algorithm: AlgorithmIdentifier;
  readonly value: Uint8Array;
}

/** Reads a PKMACValue with the SEQUENCE tag or an IMPLICIT tag. Throws `DerError`. */
export function readPkMacValue(element: DerElement, tag: number = TAG.sequence): PkMacValue {
  const cursor = openElement(element, tag);
  const algorithm = nextAlgorithm(cursor);
  const value = readBitStringBytes(cursor.next());
  cursor.finish();
  return { algorithm, value };
}

/** Builds a PKMACValue. */
export function pkMacValuePart({ algorithm, value }: { algorithm: Uint8Array; value: Uint8Array }): DerPart {
  return sequence([algorithm, bitStringPart(value)]);
}
