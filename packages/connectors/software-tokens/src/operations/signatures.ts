// Making and verifying signatures. What is quick is done at once, because handing it to the thread pool costs more;
// everything else, and long data, on the thread pool.
import { constants, createHmac, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { DIGEST_OCTETS, type SignatureMechanism } from '@signetry/connector-sdk';
import type { OpenKey } from '../keys/open-key.ts';
import { SECRET_SPECIFICATIONS, secretSpecifications } from '../keys/key-specifications.ts';
import type { SlowLane } from '../turns.ts';

/** Hashing so much takes as long as a dispatch. */
const MAX_QUICK_BYTES = 64 * 1024;
/** Less than a fifth of a millisecond. */
const QUICK_KEYS: ReadonlySet<string> = new Set(['P-256', 'Ed25519']);

const isQuick = ({ name }: OpenKey, data: Uint8Array): boolean =>
  QUICK_KEYS.has(name) && data.length <= MAX_QUICK_BYTES;

/** As node:crypto calls the digest; none where the algorithm hashes by itself. */
const digestOf = (mechanism: SignatureMechanism): string | null =>
  'digest' in mechanism ? mechanism.digest.toLowerCase().replace('sha-', 'sha') : null;

function keyInput(key: KeyObject, mechanism: SignatureMechanism) {
  if (mechanism.kind !== 'rsa-pss') return key;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: DIGEST_OCTETS[mechanism.digest] };
}

interface Signing {
  readonly key: OpenKey;
  readonly mechanism: SignatureMechanism;
  readonly data: Uint8Array;
}

export function makeSignature({ key, mechanism, data }: Signing, slowLane: SlowLane): Uint8Array | Promise<Uint8Array> {
  if (mechanism.kind === 'hmac') return macOf(key, data);
  const digest = digestOf(mechanism);
  if (isQuick(key, data)) return sign(digest, data, keyInput(key.key, mechanism));
  const work = () =>
    new Promise<Uint8Array>((resolve, reject) => {
      sign(digest, data, keyInput(key.key, mechanism), (error, made) => (error ? reject(error) : resolve(made)));
    });
  return key.family === 'SLH-DSA' ? slowLane(work) : work();
}

/** False for whatever is no signature. */
export function checkSignature({ key, mechanism, data }: Signing, signature: Uint8Array): boolean | Promise<boolean> {
  if (mechanism.kind === 'hmac') {
    const expected = macOf(key, data);
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  // RFC 8017 §8.1.2, §8.2.2: as long as the modulus. OpenSSL lets PSS signatures pass that lack leading zeros.
  if (key.family === 'RSA' && signature.length !== Math.ceil(key.bits / 8)) return false;
  const digest = digestOf(mechanism);
  const input = keyInput(key.key, mechanism);
  try {
    if (isQuick(key, data)) return verify(digest, data, input, signature);
    return new Promise((resolve) => {
      verify(digest, data, input, signature, (error, isGood) => resolve(!error && isGood));
    });
  } catch {
    return false; // OpenSSL throws for malformed signatures
  }
}

function macOf({ key, name }: OpenKey, data: Uint8Array): Buffer {
  const specification = secretSpecifications.find((each) => each === name);
  const facts = specification && SECRET_SPECIFICATIONS[specification];
  if (!facts || !('digest' in facts)) throw new Error(`A key of type ${name} makes no codes.`);
  return createHmac(facts.digest, key).update(data).digest();
}
