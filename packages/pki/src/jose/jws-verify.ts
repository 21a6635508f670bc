// JWS verification with a public key or a shared secret. The two functions share no algorithm, so neither `none` nor a
// public key used as a secret can be accepted (RFC 8725 §2.1, §3.1).
import { encodeDer, integerPart, sequence } from '../der/writer.ts';
import { JoseError } from './jose-error.ts';
import { JWS_ALGORITHM_FACTS, JWS_ALGORITHMS, type JwsAlgorithm } from './jws-algorithms.ts';
import { signatureAlgorithm, type SignatureAlgorithm } from '../algorithms.ts';
import type { JwkKey } from './jwk.ts';
import type { Jws } from './jws.ts';
import type { VerifySignature } from '../crypto.ts';

/** The parts of a key that verification needs. */
export type JwsKey = Pick<JwkKey, 'jwk' | 'spki' | 'algorithms'>;

/** The parts of a JWS needed to verify its signature. */
export type SignedJws = Pick<Jws, 'header' | 'signingInput' | 'signature'>;

/**
 * Verifies that the signature was created with this key. Throws `JoseError`: `bad-algorithm` if `alg` is not in
 * `JWS_ALGORITHMS` or does not match the key; `bad-signature` for any other failed verification, including a point that
 * is not on the curve.
 */
export function verifyJws(jws: SignedJws, options: { key: JwsKey; verify: VerifySignature }): void {
  const { key, verify } = options;
  const alg = jwsAlgorithm(jws.header.alg);
  if (!key.algorithms.includes(alg)) {
    throw new JoseError(
      'bad-algorithm',
      `The algorithm of the JWS must match its key: ${key.algorithms.join(' or ')}.`,
    );
  }
  const { algorithm, signature } = toX509Signature(jws.signature, { alg, key });
  if (!verify(key.spki, { algorithm, data: jws.signingInput, signature })) throw badSignature();
}

function jwsAlgorithm(alg: string): JwsAlgorithm {
  const known = JWS_ALGORITHMS.find((name) => name === alg);
  if (known !== undefined) return known;
  throw new JoseError('bad-algorithm', `The algorithm of the JWS must be one of ${JWS_ALGORITHMS.join(', ')}.`);
}

function toX509Signature(
  signature: Uint8Array,
  { alg, key }: { alg: JwsAlgorithm; key: JwsKey },
): { algorithm: SignatureAlgorithm; signature: Uint8Array } {
  const facts = JWS_ALGORITHM_FACTS[alg];
  switch (facts.kind) {
    case 'rsa':
      return { algorithm: facts.algorithm, signature };
    case 'ecdsa':
      return { algorithm: facts.algorithm, signature: ecdsaSignature(signature, facts.coordinate) };
    case 'eddsa':
      // The key determines the curve; only Edwards curve keys list this algorithm.
      return { algorithm: signatureAlgorithm(key.jwk.kty === 'OKP' ? key.jwk.crv : ''), signature };
  }
}

/**
 * Converts r || s (RFC 7518 §3.4) to the SEQUENCE of two INTEGERs used by X.509. Zeros are rejected before
 * verification, because libraries without the range check accepted (0, 0) for any message (CVE-2022-21449).
 */
function ecdsaSignature(raw: Uint8Array, coordinate: number): Uint8Array {
  if (raw.length !== 2 * coordinate) throw badSignature();
  const r = raw.subarray(0, coordinate);
  const s = raw.subarray(coordinate);
  if (isZero(r) || isZero(s)) throw badSignature();
  return encodeDer(sequence([integerPart(r), integerPart(s)]));
}

function isZero(number: Uint8Array): boolean {
  return number.every((octet) => octet === 0);
}

/** MAC functions. In Node.js: `createHmac(digest, key).update(data).digest()` and `timingSafeEqual`. */
export interface MacFunctions {
  readonly hmac: (digest: MacDigest, key: Uint8Array, data: Uint8Array) => Uint8Array;
  /** Returns whether two byte arrays of equal length are equal, in constant time. */
  readonly timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean;
}

export type MacDigest = 'sha256' | 'sha384' | 'sha512';

interface MacFacts {
  readonly digest: MacDigest;
  /** Minimum secret length in bytes. */
  readonly minKeyBytes: number;
}

/**
 * RFC 7518 §3.2 requires a secret at least as long as the digest. For HS256, shorter secrets are accepted because CAs
 * issue them for external account binding; clients are never forced to use a longer digest.
 */
const MAC_FACTS = {
  HS256: { digest: 'sha256', minKeyBytes: 16 },
  HS384: { digest: 'sha384', minKeyBytes: 48 },
  HS512: { digest: 'sha512', minKeyBytes: 64 },
} as const satisfies Readonly<Record<string, MacFacts>>;

export type MacAlgorithm = keyof typeof MAC_FACTS;
// `Object.keys` does not preserve the key type, hence the cast.
export const MAC_ALGORITHMS = Object.keys(MAC_FACTS) as readonly MacAlgorithm[];

export const isMacAlgorithm = (alg: string): alg is MacAlgorithm => Object.hasOwn(MAC_FACTS, alg);

/**
 * Verifies that the MAC was created with this shared secret; used for external account binding (RFC 8555 §7.3.4).
 * Throws `JoseError`: `bad-algorithm` unless `alg` is HS256, HS384 or HS512; `bad-key` if the secret is too short for
 * it; `bad-signature`.
 */
export function verifyJwsMac(jws: SignedJws, options: { key: Uint8Array; mac: MacFunctions }): void {
  const { key, mac } = options;
  const { alg } = jws.header;
  if (!isMacAlgorithm(alg))
    throw new JoseError('bad-algorithm', `The algorithm of the JWS must be one of ${MAC_ALGORITHMS.join(', ')}.`);
  const { digest, minKeyBytes } = MAC_FACTS[alg];
  if (key.length < minKeyBytes) {
    throw new JoseError('bad-key', `The secret for ${alg} must have at least ${minKeyBytes} bytes.`);
  }
  const expected = mac.hmac(digest, key, jws.signingInput);
  if (jws.signature.length !== expected.length || !mac.timingSafeEqual(jws.signature, expected)) throw badSignature();
}

function badSignature(): JoseError {
  return new JoseError('bad-signature', 'JWS signature verification failed.');
}
