// Verifying a JWS: with a public key, or with a shared secret. Two functions that have no algorithm in common, so that
// neither a public key used as a secret nor `none` can ever pass (RFC 8725 §2.1, §3.1).
import { encodeDer, integerPart, sequence } from '../der/writer.ts';
import { JoseError } from './jose-error.ts';
import { JWS_ALGORITHM_FACTS, JWS_ALGORITHMS, type JwsAlgorithm } from './jws-algorithms.ts';
import { signatureAlgorithm, type SignatureAlgorithm } from '../algorithms.ts';
import type { JwkKey } from './jwk.ts';
import type { Jws } from './jws.ts';
import type { VerifySignature } from '../crypto.ts';

/** What verifying needs of a key. */
export type JwsKey = Pick<JwkKey, 'jwk' | 'spki' | 'algorithms'>;

/** The parts of a JWS that its signature binds together. */
export type SignedJws = Pick<Jws, 'header' | 'signingInput' | 'signature'>;

/**
 * Returns when the key made the signature. Throws `JoseError`: `bad-algorithm` when `alg` is not one of
 * `JWS_ALGORITHMS` or does not fit the key, `bad-signature` for everything else that does not verify, including a point
 * that is not on the curve.
 */
export function verifyJws(jws: SignedJws, options: { key: JwsKey; verify: VerifySignature }): void {
  const { key, verify } = options;
  const alg = jwsAlgorithm(jws.header.alg);
  if (!key.algorithms.includes(alg)) {
    throw new JoseError('bad-algorithm', `The key of the JWS takes the algorithm ${key.algorithms.join(' or ')}.`);
  }
  const { algorithm, signature } = inTermsOfX509(jws.signature, { alg, key });
  if (!verify(key.spki, { algorithm, data: jws.signingInput, signature })) throw badSignature();
}

function jwsAlgorithm(alg: string): JwsAlgorithm {
  const known = JWS_ALGORITHMS.find((name) => name === alg);
  if (known !== undefined) return known;
  throw new JoseError('bad-algorithm', `The algorithm of the JWS is not one of ${JWS_ALGORITHMS.join(', ')}.`);
}

function inTermsOfX509(
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
      // The curve is the key's; only keys of Edwards curves list this algorithm.
      return { algorithm: signatureAlgorithm(key.jwk.kty === 'OKP' ? key.jwk.crv : ''), signature };
  }
}

/**
 * r || s (RFC 7518 §3.4) as the SEQUENCE of two INTEGERs that X.509 knows. A zero is refused before the cryptography
 * sees it: libraries that left out the range check verified (0, 0) for everything (CVE-2022-21449).
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

/** The cryptography of a MAC: node's `createHmac(digest, key).update(data).digest()` and `timingSafeEqual`. */
export interface MacFunctions {
  readonly hmac: (digest: MacDigest, key: Uint8Array, data: Uint8Array) => Uint8Array;
  /** Whether octet strings of one length are equal, in a time that does not depend on where they differ. */
  readonly timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean;
}

export type MacDigest = 'sha256' | 'sha384' | 'sha512';

interface MacFacts {
  readonly digest: MacDigest;
  /** Octets of the shortest secret. */
  readonly minKeyBytes: number;
}

/**
 * RFC 7518 §3.2 asks for a secret as long as the digest. For HS256 authorities give out shorter ones for external
 * accounts; nobody has to take a longer digest.
 */
const MAC_FACTS = {
  HS256: { digest: 'sha256', minKeyBytes: 16 },
  HS384: { digest: 'sha384', minKeyBytes: 48 },
  HS512: { digest: 'sha512', minKeyBytes: 64 },
} as const satisfies Readonly<Record<string, MacFacts>>;

export type MacAlgorithm = keyof typeof MAC_FACTS;
export const MAC_ALGORITHMS = Object.keys(MAC_FACTS) as readonly MacAlgorithm[]; // keys of the table

export const isMacAlgorithm = (alg: string): alg is MacAlgorithm => Object.hasOwn(MAC_FACTS, alg);

/**
 * Returns when a holder of the shared secret made the MAC, as external account binding needs (RFC 8555 §7.3.4). Throws
 * `JoseError`: `bad-algorithm` unless `alg` is HS256, HS384 or HS512, `bad-key` for a secret that is too short for it,
 * `bad-signature`.
 */
export function verifyJwsMac(jws: SignedJws, options: { key: Uint8Array; mac: MacFunctions }): void {
  const { key, mac } = options;
  const { alg } = jws.header;
  if (!isMacAlgorithm(alg))
    throw new JoseError('bad-algorithm', `The algorithm of the JWS is not one of ${MAC_ALGORITHMS.join(', ')}.`);
  const { digest, minKeyBytes } = MAC_FACTS[alg];
  if (key.length < minKeyBytes) {
    throw new JoseError('bad-key', `The secret of a MAC with ${alg} has at least ${minKeyBytes} octets.`);
  }
  const expected = mac.hmac(digest, key, jws.signingInput);
  if (jws.signature.length !== expected.length || !mac.timingSafeEqual(jws.signature, expected)) throw badSignature();
}

function badSignature(): JoseError {
  return new JoseError('bad-signature', 'The signature of the JWS does not verify.');
}
