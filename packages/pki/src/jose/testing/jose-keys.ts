// Keys and signed objects for tests of the JOSE folder: made by node:crypto, so that both sides are not the same code.
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

/** A key pair per type, made once per test file. */
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

/** Base64url of text or octets. */
export function base64url(value: string | Uint8Array): string {
  return Buffer.from(value).toString('base64url');
}

/** The three members of a flattened JWS. */
export interface FlatJws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** Signs by the algorithm of the key, whatever the header says. A header given as text is taken as it is. */
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
