// Verifies signatures in software with the public key: no token is needed, and a token's signatures are verified by
// independent code.
import { constants, verify } from 'node:crypto';
import { DIGEST_OCTETS, type KeyFacts, type SignatureMechanism } from '@signetry/connector-sdk';
import { importPublicKey } from '@signetry/pki/node';
import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import { DIGESTS } from './digests.ts';

const MAX_KEYS = 256;
const imported = new LRUCache<string, KeyObject>({ max: MAX_KEYS });

export interface SignedData {
  readonly facts: KeyFacts;
  readonly spki: Uint8Array;
  readonly mechanism: SignatureMechanism;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

export function isSignedBy({ facts, spki, mechanism, data, signature }: SignedData): boolean {
  const key = publicKey(spki);
  if (!key || mechanism.kind === 'hmac') return false;
  // The signature must be as long as the modulus (RFC 8017 §8.1.2, §8.2.2).
  if (facts.family === 'RSA' && signature.length !== Math.ceil(facts.bits / 8)) return false;
  const digest = 'digest' in mechanism ? DIGESTS[mechanism.digest].name : null;
  try {
    if (mechanism.kind !== 'rsa-pss') return verify(digest, data, key, signature);
    const saltLength = DIGEST_OCTETS[mechanism.digest];
    return verify(digest, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature);
  } catch {
    return false; // OpenSSL throws for malformed signatures.
  }
}

export function publicKey(spki: Uint8Array): KeyObject | undefined {
  const name = Buffer.from(spki).toString('base64');
  const known = imported.get(name);
  if (known) return known;
  const key = importPublicKey(spki);
  if (key) imported.set(name, key);
  return key;
}
