// MACs whose key comes from a shared secret: id-PasswordBasedMac (RFC 4211 §4.4, RFC 9810 §5.1.3.1) and PBMAC1 (RFC
// 8018 appendix A.5, RFC 9481 §6.1). Senders choose the iterations, so they are bounded before anything is derived.
import { bitStringPart, encodeDer, integerPart, nullPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { digestAlgorithmPart, digestOfOid, nextAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { DerCursor, openElement, readBitStringBytes, readIntegerBetween, type DerElement } from '../der/reader.ts';
import { readOctetString, readSmallInteger } from '../der/reader.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import type { DerPart } from '../der/writer.ts';
import type { DigestName } from '../algorithms.ts';

/** Algorithms that protect a message with something shared, by name. */
export const MESSAGE_MACS = {
  passwordBasedMac: '1.2.840.113533.7.66.13',
  dhBasedMac: '1.2.840.113533.7.66.30',
  kemBasedMac: '1.2.840.113533.7.66.16',
  pbmac1: OID.pbmac1,
} as const;

/** The cryptography that MACs need; `@signetry/pki/node` supplies it as `nodeMacFunctions`. */
export interface PasswordMacFunctions {
  readonly hmac: (digest: DigestName, input: { key: Uint8Array; data: Uint8Array }) => Uint8Array;
  /** The digest of the digest ... of the data, `iterations` in all, without holding the thread for long. */
  readonly repeatDigest: (digest: DigestName, input: { data: Uint8Array; iterations: number }) => Promise<Uint8Array>;
  readonly pbkdf2: (
    digest: DigestName,
    input: { secret: Uint8Array; salt: Uint8Array; iterations: number; length: number },
  ) => Promise<Uint8Array>;
}

/** What a sender may ask for. */
export interface MacLimits {
  /**
   * Most iterations of the one-way function of PasswordBasedMac, or of PBKDF2 times the blocks of its key; 100,000 by
   * default, as OpenSSL allows.
   */
  readonly maxIterations?: number;
  /**
   * Allows SHA-1 as the one-way function, which RFC 9481 §6.1.1 no longer lists. HMAC with SHA-1, the default of
   * OpenSSL's client, is always allowed: it has no known weakness (RFC 6194 §3.3).
   */
  readonly allowSha1?: boolean;
}

const DEFAULT_MAX_ITERATIONS = 100_000;
/** RFC 4211 §4.4: below, guessing the secret costs nothing. */
const MIN_ITERATIONS = 100;
/** Salts are 16 to 64 octets; the bound only keeps a hostile one from being hashed often. */
const MAX_SALT = 1024;
const MIN_WRITTEN_SALT = 16;

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
  ['1.3.6.1.5.5.8.1.2', 'sha1'], // id-HMAC-SHA1 of IKE, which RFC 4211 appendix A names and OpenSSL writes
  ['2.16.840.1.101.3.4.2.14', 'sha3-256'],
  ['2.16.840.1.101.3.4.2.15', 'sha3-384'],
  ['2.16.840.1.101.3.4.2.16', 'sha3-512'],
]);

export interface MacInput {
  /** Octets of the shared secret; text in UTF-8. */
  readonly secret: Uint8Array;
  readonly data: Uint8Array;
  readonly functions: PasswordMacFunctions;
  readonly limits?: MacLimits | undefined;
}

/**
 * The MAC over octets by PasswordBasedMac or PBMAC1, as the parameters of the algorithm say. Throws `PkiError`:
 * `unsupported-algorithm`, `bound-exceeded`, `DerError`.
 */
export async function passwordMac(algorithm: AlgorithmIdentifier, input: MacInput): Promise<Uint8Array> {
  const { digest, key } = await macKey(algorithm, input);
  const mac = input.functions.hmac(digest, { key, data: input.data });
  key.fill(0);
  return mac;
}

/** A MAC whose key is derived, for as many octets as there are to protect. */
export interface DerivedMac {
  readonly algorithm: AlgorithmIdentifier;
  over(data: Uint8Array): Uint8Array;
}

/** Derives the key of a MAC, which is what costs. Throws as `passwordMac`. */
export async function deriveMac(algorithm: AlgorithmIdentifier, input: Omit<MacInput, 'data'>): Promise<DerivedMac> {
  const { digest, key } = await macKey(algorithm, input);
  return { algorithm, over: (data) => input.functions.hmac(digest, { key, data }) };
}

const macKey = async (algorithm: AlgorithmIdentifier, input: Omit<MacInput, 'data'>): Promise<MacKey> =>
  algorithm.oid === MESSAGE_MACS.passwordBasedMac
    ? passwordBasedKey(parametersOf(algorithm), input)
    : algorithm.oid === MESSAGE_MACS.pbmac1
      ? pbmac1Key(parametersOf(algorithm), input)
      : refuseAlgorithm(algorithm.oid);

/** Whether the MAC is right, in a time that does not tell how much of it is. Throws as `passwordMac`. */
export async function verifyPasswordMac(
  algorithm: AlgorithmIdentifier,
  { mac, ...input }: MacInput & { readonly mac: Uint8Array },
): Promise<boolean> {
  return equalInConstantTime(await passwordMac(algorithm, input), mac);
}

/** In a time that does not tell how much of both is equal. */
export function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number); // i < both lengths
  return difference === 0;
}

function refuseAlgorithm(oid: string): never {
  const name =
    oid === MESSAGE_MACS.dhBasedMac
      ? 'DHBasedMac, a MAC whose key is agreed with Diffie-Hellman,'
      : oid === MESSAGE_MACS.kemBasedMac
        ? 'KEM-based MAC'
        : `The MAC algorithm ${oid}`;
  throw unsupported(`${name} is not supported; use PBMAC1, PasswordBasedMac or a signature.`);
}

const unsupported = (message: string): PkiError => new PkiError('unsupported-algorithm', message);

function parametersOf(algorithm: AlgorithmIdentifier): DerElement {
  if (algorithm.parameters !== undefined) return algorithm.parameters;
  throw unsupported(`The MAC algorithm ${algorithm.oid} lacks its parameters.`);
}

interface MacKey {
  readonly digest: DigestName;
  readonly key: Uint8Array;
}

/** What guessing the secret of a MAC costs: octets of its salt, and iterations. Throws as `passwordMac`. */
export function macCosts(algorithm: AlgorithmIdentifier): {
  readonly saltLength: number;
  readonly iterations: number;
} {
  const outer = openElement(parametersOf(algorithm), TAG.sequence);
  if (algorithm.oid === MESSAGE_MACS.passwordBasedMac) {
    const salt = readSalt(outer);
    nextAlgorithm(outer);
    return { saltLength: salt.length, iterations: readSmallInteger(outer.next()) };
  }
  const derivation = openElement(parametersOf(nextAlgorithm(outer)), TAG.sequence);
  return { saltLength: readSalt(derivation).length, iterations: readSmallInteger(derivation.next()) };
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
  const hash = digestOfOid(oneWay.oid);
  if (hash === undefined || hash === 'md5') throw unsupported(`The one-way function ${oneWay.oid} is not supported.`);
  if (hash === 'sha1' && !allowSha1)
    throw unsupported('SHA-1 as the one-way function of a MAC is not allowed; use SHA-256.');
  const data = new Uint8Array(secret.length + salt.length);
  data.set(secret);
  data.set(salt, secret.length);
  const key = await functions.repeatDigest(hash, { data, iterations });
  data.fill(0);
  return { digest, key };
}

/** RFC 8018 appendix A.5: PBKDF2 and an HMAC, both named in the parameters. */
async function pbmac1Key(
  parameters: DerElement,
  { secret, functions, limits = {} }: Omit<MacInput, 'data'>,
): Promise<MacKey> {
  const outer = openElement(parameters, TAG.sequence);
  const derivation = nextAlgorithm(outer);
  const digest = hmacDigest(nextAlgorithm(outer));
  outer.finish();
  if (derivation.oid !== OID.pbkdf2)
    throw unsupported(`PBMAC1 with the key derivation ${derivation.oid} is not supported.`);
  const cursor = openElement(parametersOf(derivation), TAG.sequence);
  const salt = readSalt(cursor);
  const iterations = readSmallInteger(cursor.next());
  const stated = cursor.optional(TAG.integer);
  const prf = cursor.atEnd ? 'sha1' : hmacDigest(nextAlgorithm(cursor)); // the default of RFC 8018 appendix A.2
  cursor.finish();
  // An HMAC takes keys of any length, so nothing else tells it (RFC 9579 §5).
  if (stated === undefined) throw unsupported('PBMAC1 must state the length of its key.');
  const length = readIntegerBetween(stated, { min: 1, max: 256 });
  const blocks = Math.ceil(length / (DIGEST_LENGTHS[prf] ?? 20));
  expectIterations(iterations, Math.floor((limits.maxIterations ?? DEFAULT_MAX_ITERATIONS) / blocks));
  return { digest, key: await functions.pbkdf2(prf, { secret, salt, iterations, length }) };
}

function readSalt(cursor: DerCursor): Uint8Array {
  const salt = readOctetString(cursor.next());
  if (salt.length <= MAX_SALT) return salt;
  throw new PkiError('bound-exceeded', `The salt of the MAC has more than ${MAX_SALT} octets.`);
}

function expectIterations(iterations: number, max: number): void {
  if (iterations >= MIN_ITERATIONS && iterations <= max) return;
  throw new PkiError(
    'bound-exceeded',
    `The MAC asks for ${iterations} iterations; ${MIN_ITERATIONS} to ${max} are accepted.`,
  );
}

function hmacDigest({ oid }: AlgorithmIdentifier): DigestName {
  const digest = HMACS.get(oid);
  if (digest === undefined) throw unsupported(`The MAC algorithm ${oid} is not supported; use an HMAC with SHA-2.`);
  return digest;
}

/** Random octets and costs of a MAC to write. */
export interface PasswordMacInput {
  /** At least 16 random octets. */
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** Of the key derivation, SHA-256 by default. */
  readonly digest?: DigestName;
  /** Of the HMAC, SHA-256 by default. */
  readonly hmacDigest?: DigestName;
}

/** AlgorithmIdentifier of PasswordBasedMac. Throws `PkiError` `bad-argument`. */
export function passwordBasedMacAlgorithm(input: PasswordMacInput): Uint8Array {
  const { salt, iterations, digest = 'sha256', hmacDigest: mac = 'sha256' } = checkedInput(input);
  const parameters = [octetStringPart(salt), digestAlgorithmPart(digest), integerPart(iterations), hmacPart(mac)];
  return encodeDer(sequence([oidPart(MESSAGE_MACS.passwordBasedMac), sequence(parameters)]));
}

/** AlgorithmIdentifier of PBMAC1 with a key as long as the digest. Throws `PkiError` `bad-argument`. */
export function pbmac1Algorithm(input: PasswordMacInput): Uint8Array {
  const { salt, iterations, digest = 'sha256', hmacDigest: mac = 'sha256' } = checkedInput(input);
  const derivation = [
    octetStringPart(salt),
    integerPart(iterations),
    integerPart(DIGEST_LENGTHS[mac] ?? 32),
    digest === 'sha1' ? undefined : hmacPart(digest),
  ];
  const parameters = [sequence([oidPart(OID.pbkdf2), sequence(derivation)]), hmacPart(mac)];
  return encodeDer(sequence([oidPart(MESSAGE_MACS.pbmac1), sequence(parameters)]));
}

function checkedInput(input: PasswordMacInput): PasswordMacInput {
  if (input.salt.length < MIN_WRITTEN_SALT || input.salt.length > MAX_SALT)
    throw new PkiError('bad-argument', `The salt of a MAC has ${MIN_WRITTEN_SALT} to ${MAX_SALT} octets.`);
  if (!Number.isSafeInteger(input.iterations) || input.iterations < MIN_ITERATIONS)
    throw new PkiError('bad-argument', `The key of a MAC takes at least ${MIN_ITERATIONS} iterations.`);
  return input;
}

function hmacPart(digest: DigestName): DerPart {
  for (const [oid, name] of HMACS) if (name === digest) return sequence([oidPart(oid), nullPart()]);
  throw new PkiError('bad-argument', `An HMAC with ${digest} cannot be written.`);
}

/** PKMACValue (RFC 4211 §4.1): a MAC with its algorithm. */
export interface PkMacValue {
  readonly algorithm: AlgorithmIdentifier;
  readonly value: Uint8Array;
}

/** Reads a PKMACValue under its own tag or an IMPLICIT one. Throws `DerError`. */
export function readPkMacValue(element: DerElement, tag: number = TAG.sequence): PkMacValue {
  const cursor = openElement(element, tag);
  const algorithm = nextAlgorithm(cursor);
  const value = readBitStringBytes(cursor.next());
  cursor.finish();
  return { algorithm, value };
}

/** A PKMACValue to write. */
export function pkMacValuePart({ algorithm, value }: { algorithm: Uint8Array; value: Uint8Array }): DerPart {
  return sequence([algorithm, bitStringPart(value)]);
}
