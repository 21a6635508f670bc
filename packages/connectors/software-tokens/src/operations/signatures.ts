// Creates and verifies signatures. Fast operations run synchronously, because dispatching them to the thread pool would
// cost more. Slow operations, and operations on long data, run on the thread pool.
import { constants, createHmac, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { DIGEST_OCTETS, type SignatureMechanism } from '@signetry/connector-sdk';
import type { OpenKey } from '../keys/open-key.ts';
import { SECRET_SPECIFICATIONS, secretSpecifications } from '../keys/key-specifications.ts';
import type { SlowLane } from '../turns.ts';

/** Hashing this much data takes as long as dispatching it to the thread pool. */
const MAX_QUICK_BYTES = 64 * 1024;
/** Key types with which signing and verifying take less than 0.2 ms. */
const QUICK_KEYS: ReadonlySet<string> = new Set(['P-256', 'Ed25519']);

const isQuick = ({ name }: OpenKey, data: Uint8Array): boolean =>
  QUICK_KEYS.has(name) && data.length <= MAX_QUICK_BYTES;

/** Returns the digest in node:crypto notation; null if the algorithm includes hashing. */
const digestOf = (mechanism: SignatureMechanism): string | null =>
  'digest' in mechanism ? mechanism.digest.toLowerCase().replace('sha-', 'sha') : null;

function keyInput(key: KeyObject, mechanism: SignatureMechanism) {
  if (mechanism.kind !== 'rsa-pss') return key;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: DIGEST_OCTETS[mechanism.digest] };
}

interface SigningInput {
  readonly key: OpenKey;
  readonly mechanism: SignatureMechanism;
  readonly data: Uint8Array;
}

export function createSignature(
  { key, mechanism, data }: SigningInput,
  slowLane: SlowLane,
): Uint8Array | Promise<Uint8Array> {
  if (mechanism.kind === 'hmac') return macOf(key, data);
  const digest = digestOf(mechanism);
  if (isQuick(key, data)) return sign(digest, data, keyInput(key.key, mechanism));
  const work = () =>
    new Promise<Uint8Array>((resolve, reject) => {
      sign(digest, data, keyInput(key.key, mechanism), (error, made) => (error ? reject(error) : resolve(made)));
    });
  return key.family === 'SLH-DSA' ? slowLane(work) : work();
}

/** Returns false if the signature is malformed or does not verify. */
export function checkSignature(
  { key, mechanism, data }: SigningInput,
  signature: Uint8Array,
): boolean | Promise<boolean> {
  if (mechanism.kind === 'hmac') {
    const expected = macOf(key, data);
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  // A signature must be as long as the modulus (RFC 8017 §8.1.2, §8.2.2), but OpenSSL accepts PSS signatures without
  // leading zeros.
  if (key.family === 'RSA' && signature.length !== Math.ceil(key.bits / 8)) return false;
  const digest = digestOf(mechanism);
  const input = keyInput(key.key, mechanism);
  try {
    if (isQuick(key, data)) return verify(digest, data, input, signature);
    return new Promise((resolve) => {
      verify(digest, data, input, signature, (error, isGood) => resolve(!error && isGood));
    });
  } catch {
    return false; // OpenSSL throws for malformed signatures.
  }
}

function macOf({ key, name }: OpenKey, data: Uint8Array): Buffer {
  const specification = secretSpecifications.find((each) => each === name);
  const facts = specification && SECRET_SPECIFICATIONS[specification];
  if (!facts || !('digest' in facts)) throw new Error(`A key of type ${name} cannot compute MACs.`);
  return createHmac(facts.digest, key).update(data).digest();
}
