// Account keys of test clients, using node:crypto only, so that the platform does not verify output of its own code.
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export const ACME_KEY_SPECS = ['P-256', 'P-384', 'P-521', 'RSA-2048', 'RSA-1024', 'Ed25519', 'Ed448'] as const;

/** RSA-1024 is for rejection tests. */
export type AcmeKeySpec = (typeof ACME_KEY_SPECS)[number];

export interface AcmeTestKey {
  /** JWS algorithm that fits the key. */
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Public key with sorted members. */
  readonly jwk: Readonly<Record<string, string>>;
  /** RFC 7638. */
  readonly thumbprint: string;
  /** Signs as JWS requires: ECDSA as r || s (RFC 7518 §3.4). */
  sign(data: Uint8Array): Buffer;
}

/** Generates a key. RSA takes a few hundred milliseconds. */
export function generateAcmeKey(spec: AcmeKeySpec = 'P-256'): AcmeTestKey {
  return acmeKey(generate(spec));
}

function generate(spec: AcmeKeySpec): KeyObject {
  switch (spec) {
    case 'RSA-1024':
    case 'RSA-2048':
      return generateKeyPairSync('rsa', { modulusLength: Number(spec.slice(4)) }).privateKey;
    case 'Ed25519':
      return generateKeyPairSync('ed25519').privateKey;
    case 'Ed448':
      return generateKeyPairSync('ed448').privateKey;
    default:
      return generateKeyPairSync('ec', { namedCurve: spec }).privateKey;
  }
}

/** Returns a test key from an existing key, for example a certificate's: a KeyObject, or PKCS #8 in PEM. */
export function acmeKey(input: KeyObject | string): AcmeTestKey {
  const privateKey = typeof input === 'string' ? createPrivateKey(input) : input;
  const publicKey = createPublicKey(privateKey);
  const members = Object.entries(publicKey.export({ format: 'jwk' })).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const jwk = Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
  const { alg, digest } = algorithmOf(jwk);
  return {
    alg,
    privateKey,
    publicKey,
    jwk,
    thumbprint: hash('sha256', JSON.stringify(jwk), 'base64url'),
    sign: (data) => sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

function algorithmOf({ kty, crv }: Readonly<Record<string, string>>): { alg: string; digest: string | null } {
  if (kty === 'RSA') return { alg: 'RS256', digest: 'sha256' };
  if (kty === 'OKP') return { alg: 'EdDSA', digest: null };
  if (crv === 'P-384') return { alg: 'ES384', digest: 'sha384' };
  if (crv === 'P-521') return { alg: 'ES512', digest: 'sha512' };
  return { alg: crv === 'secp256k1' ? 'ES256K' : 'ES256', digest: 'sha256' };
}

/** Returns the key authorization of a challenge (RFC 8555 §8.1). */
export function keyAuthorization(token: string, key: AcmeTestKey): string {
  return `${token}.${key.thumbprint}`;
}

/** Returns the value of the dns-01 TXT record (RFC 8555 §8.4). */
export function dnsChallengeValue(token: string, key: AcmeTestKey): string {
  return hash('sha256', keyAuthorization(token, key), 'base64url');
}
