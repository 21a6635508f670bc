// Keys and signed objects for the JOSE tests, created with node:crypto so that the code under test does not check
// itself.
import { createHmac, generateKeyPairSync, sign, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { nodeCrypto } from '../../node/index.ts';
import { readJwk, type JwkKey, type JwsAlgorithm, type MacFunctions } from '../../index.ts';

export const macFunctions: MacFunctions = {
  hmac: (digest, key, data) => createHmac(digest, key).update(data).digest(),
  timingSafeEqual,
};

export interface JoseKey {
  readonly alg: JwsAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly key: JwkKey;
}

export const JOSE_KEY_SPECS = ['RSA', 'P-256', 'P-384', 'P-521', 'Ed25519', 'Ed448'] as const;
export type JoseKeySpec = (typeof JOSE_KEY_SPECS)[number];

const ALGORITHMS: Readonly<Record<JoseKeySpec, JwsAlgorithm>> = {
  RSA: 'RS256',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
  Ed448: 'EdDSA',
};

const keys = new Map<JoseKeySpec, JoseKey>();

/** Returns the key pair of a type, generated once per test file. */
export function joseKey(spec: JoseKeySpec): JoseKey {
  const known = keys.get(spec);
  if (known !== undefined) return known;
  const { publicKey, privateKey } = generate(spec);
  const publicJwk = { ...publicKey.export({ format: 'jwk' }) };
  const key = { alg: ALGORITHMS[spec], privateKey, publicJwk, key: readJwk(publicJwk, nodeCrypto.sha256) };
  keys.set(spec, key);
  return key;
}

function generate(spec: JoseKeySpec): { publicKey: KeyObject; privateKey: KeyObject } {
  switch (spec) {
    case 'RSA':
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
    case 'Ed25519':
      return generateKeyPairSync('ed25519');
    case 'Ed448':
      return generateKeyPairSync('ed448');
    default:
      return generateKeyPairSync('ec', { namedCurve: spec });
  }
}

/** Encodes text or bytes in Base64url. */
export function base64url(value: string | Uint8Array): string {
  return Buffer.from(value).toString('base64url');
}

/** Members of a flattened JWS. */
export interface FlatJws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** Signs with the key's algorithm, regardless of the header. A header passed as a string is used unchanged. */
export function signJws(
  by: JoseKey,
  { header, payload }: { header: object | string; payload: string | Uint8Array },
): FlatJws {
  const protectedHeader = base64url(typeof header === 'string' ? header : JSON.stringify(header));
  const body = base64url(payload);
  const data = Buffer.from(`${protectedHeader}.${body}`);
  const digest = { RS256: 'sha256', ES256: 'sha256', ES384: 'sha384', ES512: 'sha512', EdDSA: null }[by.alg];
  const signature = sign(digest, data, { key: by.privateKey, dsaEncoding: 'ieee-p1363' });
  return { protected: protectedHeader, payload: body, signature: base64url(signature) };
}
