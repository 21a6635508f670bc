// Converts public JSON Web Keys (RFC 7517, RFC 7518 §6, RFC 8037 §2) to SubjectPublicKeyInfo and back. Each key has
// exactly one encoding, so keys can be compared by their bytes or thumbprints. RSA keys that are too short or can be
// factored are rejected; other limits are the caller's policy: `checkKeyPolicy(parsePublicKey(key.spki))`. Signature
// verification checks that the point is on its curve.
import { bitStringPart, encodeDer, integerPart, nullPart, oidPart, sequence } from '../der/writer.ts';
import { checkKeyPolicy } from '../key-policy.ts';
import { concatBytes } from '../bytes.ts';
import { encodeUtf8 } from '../der/text.ts';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import { isPkiError } from '../errors.ts';
import { JoseError } from './jose-error.ts';
import { OID } from '../oids.ts';
import { hasSmallFactor } from '../rsa-weaknesses.ts';
import { parsePublicKey, type PublicKey } from '../keys.ts';
import type { JwsAlgorithm } from './jws-algorithms.ts';

export type EcCurve = 'P-256' | 'P-384' | 'P-521';
export type EdwardsCurve = 'Ed25519' | 'Ed448';

/** A public key with only its required members, in the order in which RFC 7638 §3.3 hashes them. */
export type Jwk =
  | { readonly e: string; readonly kty: 'RSA'; readonly n: string }
  | { readonly crv: EcCurve; readonly kty: 'EC'; readonly x: string; readonly y: string }
  | { readonly crv: EdwardsCurve; readonly kty: 'OKP'; readonly x: string };

export interface JwkKey {
  readonly jwk: Jwk;
  /** The encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array<ArrayBuffer>;
  /** SHA-256 thumbprint in base64url (RFC 7638). */
  readonly thumbprint: string;
  /** JWS algorithms that the key supports. */
  readonly algorithms: readonly JwsAlgorithm[];
}

export type Sha256 = (data: Uint8Array) => Uint8Array;

/** Minimum size of RSA keys in certificates, which are only compared with JWKs. */
const MIN_RSA_BITS = 1024;
/** Minimum size of RSA keys that verify signatures (RFC 7518 §3.3). */
const MIN_VERIFYING_RSA_BITS = 2048;
/**
 * Clients can request verification with keys that they choose. Within these limits, one verification takes less than
 * 0.5 ms; with 16384 bits and a long exponent, it would take 3 ms. No default key policy allows larger keys, and few
 * libraries support larger exponents.
 */
const MAX_RSA_BITS = 8192;
const MAX_EXPONENT_OCTETS = 4;

interface CurveFacts {
  /** Length in bytes of a coordinate (RFC 7518 §6.2.1.2) or of an Edwards curve key (RFC 8037 §2). */
  readonly size: number;
  readonly algorithms: readonly JwsAlgorithm[];
  /** The encoded AlgorithmIdentifier. */
  readonly identifier: Uint8Array;
}

const ecIdentifier = (curve: string): Uint8Array => encodeDer(sequence([oidPart(OID.ecPublicKey), oidPart(curve)]));

const EC_CURVES: Readonly<Record<EcCurve, CurveFacts>> = {
  'P-256': { size: 32, algorithms: ['ES256'], identifier: ecIdentifier(OID.secp256r1) },
  'P-384': { size: 48, algorithms: ['ES384'], identifier: ecIdentifier(OID.secp384r1) },
  'P-521': { size: 66, algorithms: ['ES512'], identifier: ecIdentifier(OID.secp521r1) },
};

const EDWARDS_CURVES: Readonly<Record<EdwardsCurve, CurveFacts>> = {
  Ed25519: { size: 32, algorithms: ['EdDSA'], identifier: encodeDer(sequence([oidPart(OID.ed25519)])) },
  Ed448: { size: 57, algorithms: ['EdDSA'], identifier: encodeDer(sequence([oidPart(OID.ed448)])) },
};

const RSA_ALGORITHMS: readonly JwsAlgorithm[] = ['RS256'];
const RSA_IDENTIFIER = encodeDer(sequence([oidPart(OID.rsaEncryption), nullPart()]));

/** Members of private and symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4; RFC 8037 §2). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'] as const;

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a public key. Throws `JoseError` `bad-key` for an unknown `kty` or `crv`, members of a private key, any
 * encoding other than the one specified in RFC 7518 §6, an RSA modulus outside 2048 to 8192 bits or with a known
 * weakness, a public exponent that is even or less than 65537, and a `use`, `key_ops` or `alg` that does not permit
 * signatures with it. Unknown members are ignored, as RFC 7517 §4 requires.
 */
export function readJwk(value: unknown, sha256: Sha256): JwkKey {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badKey('A JWK must be a JSON object.');
  const members = value as Members; // The value was checked above; each member is checked when it is read.
  for (const name of SECRET_MEMBERS) {
    if (members[name] !== undefined) throw badKey('The JWK must not contain a private or symmetric key.');
  }
  const key = readByType(members, sha256);
  // The key's declared use is binding (RFC 7517 §4.2 to §4.4).
  if (members['use'] !== undefined && members['use'] !== 'sig')
    throw badKey('The JWK is not for signatures: "use" must be "sig".');
  if (!mayVerify(members['key_ops'])) throw badKey('The "key_ops" member of the JWK must include "verify".');
  if (members['alg'] !== undefined && !(key.algorithms as readonly unknown[]).includes(members['alg'])) {
    throw badKey('The "alg" member of the JWK does not match its key.');
  }
  return key;
}

/** Returns whether the operations permit verification. They must be distinct (RFC 7517 §4.3) and include `verify`. */
function mayVerify(operations: unknown): boolean {
  if (operations === undefined) return true;
  if (!Array.isArray(operations) || new Set(operations).size !== operations.length) return false;
  return operations.includes('verify') && operations.every((operation) => typeof operation === 'string');
}

function readByType(members: Members, sha256: Sha256): JwkKey {
  switch (members['kty']) {
    case 'RSA':
      return strongRsaKey(rsaKey({ modulus: readNumber(members, 'n'), exponent: readNumber(members, 'e') }, sha256));
    case 'EC':
      return ecKey({ crv: members['crv'], x: readOctets(members, 'x'), y: readOctets(members, 'y') }, sha256);
    case 'OKP':
      return edwardsKey({ crv: members['crv'], x: readOctets(members, 'x') }, sha256);
    default:
      throw badKey('The "kty" member of the JWK must be RSA, EC or OKP.');
  }
}

function readOctets(members: Members, name: string): Uint8Array {
  const text = members[name];
  if (typeof text !== 'string') throw badKey(`The JWK member "${name}" is missing or not a string.`);
  try {
    return fromBase64Url(text);
  } catch (cause) {
    throw badKey(`The JWK member "${name}" must be base64url without padding.`, cause);
  }
}

/**
 * Reads a Base64urlUInt, which must have the minimum number of bytes (RFC 7518 §2). Some libraries prepend a zero byte,
 * which §6.3.1.1 forbids.
 */
function readNumber(members: Members, name: string): Uint8Array {
  const octets = readOctets(members, name);
  if (octets.length === 0 || octets[0] === 0) {
    throw badKey(`The JWK member "${name}" must be a number without leading zero bytes.`);
  }
  return octets;
}

function rsaKey({ modulus, exponent }: { modulus: Uint8Array; exponent: Uint8Array }, sha256: Sha256): JwkKey {
  const bits = modulus.length * 8 - (Math.clz32(modulus[0] ?? 0) - 24);
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS || exponent.length > MAX_EXPONENT_OCTETS) {
    throw badKey(`An RSA key must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits and a short public exponent.`);
  }
  const numbers = encodeDer(sequence([integerPart(modulus), integerPart(exponent)]));
  return {
    ...withThumbprint({ e: toBase64Url(exponent), kty: 'RSA', n: toBase64Url(modulus) }, sha256),
    spki: encodeDer(sequence([RSA_IDENTIFIER, bitStringPart(numbers)])),
    algorithms: RSA_ALGORITHMS,
  };
}

/** Applies the checks for RSA keys in certificates to a JWK. */
function strongRsaKey(key: JwkKey): JwkKey {
  const limits = { minRsaBits: MIN_VERIFYING_RSA_BITS, maxRsaBits: MAX_RSA_BITS };
  const publicKey = parsePublicKey(key.spki);
  const [finding] = checkKeyPolicy(publicKey, limits);
  if (publicKey.modulus !== undefined && hasSmallFactor(publicKey.modulus))
    throw badKey('The JWK is not accepted: its RSA modulus is divisible by a small prime.');
  if (finding !== undefined) throw badKey(`The JWK is not accepted: ${finding.message}`);
  return key;
}

function ecKey({ crv, x, y }: { crv: unknown; x: Uint8Array; y: Uint8Array }, sha256: Sha256): JwkKey {
  if (crv !== 'P-256' && crv !== 'P-384' && crv !== 'P-521') throw badKey('The JWK curve is not supported.');
  const { size, algorithms, identifier } = EC_CURVES[crv];
  if (x.length !== size || y.length !== size)
    throw badKey('The length of the JWK coordinates does not match the curve.');
  return {
    ...withThumbprint({ crv, kty: 'EC', x: toBase64Url(x), y: toBase64Url(y) }, sha256),
    spki: encodeDer(sequence([identifier, bitStringPart(concatBytes([UNCOMPRESSED, x, y]))])),
    algorithms,
  };
}

/** First byte of an uncompressed point (SEC 1 §2.3.3). */
const UNCOMPRESSED = Uint8Array.of(4);

function edwardsKey({ crv, x }: { crv: unknown; x: Uint8Array }, sha256: Sha256): JwkKey {
  if (crv !== 'Ed25519' && crv !== 'Ed448') throw badKey('The JWK curve is not supported.');
  const { size, algorithms, identifier } = EDWARDS_CURVES[crv];
  if (x.length !== size) throw badKey('The length of the JWK key does not match the curve.');
  return {
    ...withThumbprint({ crv, kty: 'OKP', x: toBase64Url(x) }, sha256),
    spki: encodeDer(sequence([identifier, bitStringPart(x)])),
    algorithms,
  };
}

/**
 * Adds the thumbprint, computed over the required members, sorted, without whitespace (RFC 7638 §3). None of their
 * values requires escaping.
 */
function withThumbprint(jwk: Jwk, sha256: Sha256): Pick<JwkKey, 'jwk' | 'thumbprint'> {
  return { jwk, thumbprint: toBase64Url(sha256(encodeUtf8(JSON.stringify(jwk)))) };
}

/**
 * Returns the key in a SubjectPublicKeyInfo as a JWK, so that keys from certificates and CSRs can be compared with
 * JWKs. Throws `JoseError` `bad-key` for keys that this package does not support as JWKs (RSA-PSS, other curves,
 * compressed points).
 */
export function jwkFromSpki(spki: Uint8Array, sha256: Sha256): JwkKey {
  const { family, algorithm, keyBytes, modulus, exponent, curve } = parseSpki(spki);
  if (modulus !== undefined && exponent !== undefined && algorithm.oid === OID.rsaEncryption) {
    return rsaKey({ modulus, exponent }, sha256);
  }
  if (family === 'ECDSA' && keyBytes[0] === 4) {
    const size = (keyBytes.length - 1) / 2;
    return ecKey({ crv: curve, x: keyBytes.subarray(1, 1 + size), y: keyBytes.subarray(1 + size) }, sha256);
  }
  return edwardsKey({ crv: family, x: keyBytes }, sha256);
}

function parseSpki(spki: Uint8Array): PublicKey {
  try {
    return parsePublicKey(spki);
  } catch (error) {
    if (isPkiError(error)) throw badKey('The public key is malformed or not supported.', error);
    throw error;
  }
}

function badKey(message: string, cause?: unknown): JoseError {
  return new JoseError('bad-key', message, cause === undefined ? {} : { cause });
}
