// Cryptographic functions based on node:crypto (OpenSSL): signatures, digests, random bytes, and a bounded cache of
// imported public keys, since an import costs a third of an ECDSA verification. Keys are Node KeyObjects and are never
// exported as text here.
import { createHash, createPublicKey, hash, randomBytes, sign, verify } from 'node:crypto';
import type { KeyObject, SignKeyObjectInput, VerifyKeyObjectInput } from 'node:crypto';
import { constants } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { COMPOSITE_ALGORITHMS } from '../composite.ts';
import { PkiError } from '../errors.ts';
import { PRE_HASH_ALGORITHMS } from '../pre-hash.ts';
import { verifyComposite, verifyPreHash } from './post-quantum-verify.ts';
import { plainBytes } from '../bytes.ts';
import type { Digest, RandomBytes, SignedMaterial, VerifySignature, VerifySignatureAsync } from '../crypto.ts';
import type { DigestName, SignatureAlgorithm } from '../algorithms.ts';

/** Hashing this amount takes one or two milliseconds. */
const SLICE_BYTES = 1024 * 1024;

/**
 * Default maximum number of cached public keys: issuers and clients in concurrent use. Each takes about 10 KiB of
 * native memory.
 */
const DEFAULT_CACHED_KEYS = 256;

export interface ToBeSigned {
  readonly algorithm: SignatureAlgorithm;
  readonly data: Uint8Array;
}

export interface NodeCrypto {
  readonly verify: VerifySignature;
  /** Verifies on the thread pool: for data that takes longer to hash than to dispatch, such as large CRLs. */
  readonly verifyAsync: VerifySignatureAsync;
  readonly digest: Digest;
  /** Hashes 1 MiB at a time, yielding to the event loop in between. */
  readonly digestInSlices: (name: DigestName, data: Uint8Array) => Promise<Uint8Array>;
  readonly randomBytes: RandomBytes;
  /**
   * Signs synchronously. P-256 takes about 25 µs, but RSA-4096 takes several milliseconds: prefer `signAsync` for it.
   */
  readonly sign: (privateKey: KeyObject, input: ToBeSigned) => Uint8Array;
  /** Signs on the thread pool. */
  readonly signAsync: (privateKey: KeyObject, input: ToBeSigned) => Promise<Uint8Array>;
  readonly sha1: (data: Uint8Array) => Uint8Array;
  readonly sha256: (data: Uint8Array) => Uint8Array;
}

/**
 * Returns whether the Node key type matches the signature algorithm. Without this check, an RSA key would "verify" an
 * ECDSA algorithm.
 */
function fitsKey(key: KeyObject, algorithm: SignatureAlgorithm): boolean {
  const type = key.asymmetricKeyType;
  switch (algorithm.kind) {
    case 'rsa-pkcs1':
      return type === 'rsa';
    case 'rsa-pss':
      return type === 'rsa' || type === 'rsa-pss';
    case 'ecdsa':
      return type === 'ec';
    case 'dsa':
      return type === 'dsa';
    default:
      return type === algorithm.name.toLowerCase();
  }
}

/** RSA-PSS requires padding and salt length; all other algorithms use the key alone. */
function keyInput(
  key: KeyObject,
  algorithm: SignatureAlgorithm,
): KeyObject | (SignKeyObjectInput & VerifyKeyObjectInput) {
  if (algorithm.kind !== 'rsa-pss') return key;
  const { saltLength } = algorithm;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, ...(saltLength !== undefined && { saltLength }) };
}

function checkPrivateKey(key: KeyObject, algorithm: SignatureAlgorithm): void {
  if (key.type === 'private' && fitsKey(key, algorithm)) return;
  throw new PkiError('bad-key', `The private key does not match the signature algorithm ${algorithm.name}.`);
}

function signingError(cause: unknown): PkiError {
  return new PkiError('bad-key', 'Cannot sign with the private key.', { cause });
}

const XOF_LENGTHS: Readonly<Partial<Record<string, number>>> = { shake128: 32, shake256: 64 };

const digest: Digest = (name, data) => {
  const outputLength = XOF_LENGTHS[name];
  return plainBytes(
    outputLength === undefined
      ? hash(name, data, 'buffer')
      : hash(name, data, { outputEncoding: 'buffer', outputLength }),
  );
};

function signSync(privateKey: KeyObject, { algorithm, data }: Parameters<NodeCrypto['sign']>[1]): Uint8Array {
  checkPrivateKey(privateKey, algorithm);
  try {
    return plainBytes(sign(algorithm.digest ?? null, data, keyInput(privateKey, algorithm)));
  } catch (cause) {
    throw signingError(cause);
  }
}

async function signAsync(
  privateKey: KeyObject,
  { algorithm, data }: Parameters<NodeCrypto['signAsync']>[1],
): Promise<Uint8Array> {
  checkPrivateKey(privateKey, algorithm);
  return await new Promise((resolve, reject) => {
    sign(algorithm.digest ?? null, data, keyInput(privateKey, algorithm), (error, signature) => {
      if (error) reject(signingError(error));
      else resolve(plainBytes(signature));
    });
  });
}

/** Returns the functions with a separate key cache; `maxCachedKeys: 0` disables the cache. */
export function createNodeCrypto(options: { maxCachedKeys?: number } = {}): NodeCrypto {
  const { maxCachedKeys = DEFAULT_CACHED_KEYS } = options;
  const publicKeys = new Map<string, KeyObject>();

  function publicKey(spki: Uint8Array): KeyObject | undefined {
    const id = spki.toHex();
    const cached = publicKeys.get(id);
    if (cached !== undefined) {
      // A Map iterates in insertion order, so reinserting a key keeps the least recently used entry first.
      publicKeys.delete(id);
      publicKeys.set(id, cached);
      return cached;
    }
    const key = importPublicKey(spki);
    if (key === undefined || maxCachedKeys < 1) return key;
    const oldest = publicKeys.size >= maxCachedKeys ? publicKeys.keys().next().value : undefined;
    if (oldest !== undefined) publicKeys.delete(oldest);
    publicKeys.set(id, key);
    return key;
  }

  function verifySignature(spki: Uint8Array, { algorithm, data, signature }: SignedMaterial): boolean {
    const composite = COMPOSITE_ALGORITHMS.get(algorithm.oid);
    if (composite !== undefined)
      return verifyComposite(composite, { spki, data, signature }, { publicKey, verify: verifySignature });
    const preHash = PRE_HASH_ALGORITHMS.get(algorithm.oid);
    if (preHash !== undefined) return verifyPreHash(preHash, { spki, data, signature });
    const key = publicKey(spki);
    if (key === undefined || !fitsKey(key, algorithm) || !fitsModulus(key, signature)) return false;
    try {
      return verify(algorithm.digest ?? null, data, keyInput(key, algorithm), signature);
    } catch {
      return false; // OpenSSL throws for malformed keys and signatures, which never verify.
    }
  }

  async function verifySignatureAsync(spki: Uint8Array, signed: SignedMaterial): Promise<boolean> {
    const { algorithm, data, signature } = signed;
    // These functions hash the data once, and cannot run on the thread pool.
    if (algorithm.kind === 'composite' || algorithm.kind === 'pre-hash') return verifySignature(spki, signed);
    const key = publicKey(spki);
    if (key === undefined || !fitsKey(key, algorithm) || !fitsModulus(key, signature)) return false;
    return new Promise((resolve) => {
      try {
        verify(algorithm.digest ?? null, data, keyInput(key, algorithm), signature, (error, isGood) =>
          resolve(!error && isGood),
        );
      } catch {
        resolve(false); // As above, malformed input is rejected before the job is dispatched.
      }
    });
  }

  return {
    verify: verifySignature,
    verifyAsync: verifySignatureAsync,
    digest,
    digestInSlices,
    randomBytes: (length) => plainBytes(randomBytes(length)),
    sign: signSync,
    signAsync,
    sha1: (data) => digest('sha1', data),
    sha256: (data) => digest('sha256', data),
  };
}

async function digestInSlices(name: DigestName, data: Uint8Array): Promise<Uint8Array> {
  const hashing = createHash(name);
  for (let at = 0; at < data.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    hashing.update(data.subarray(at, at + SLICE_BYTES));
  }
  return plainBytes(hashing.digest());
}

/** Returns the public key as a Node KeyObject, or `undefined` if OpenSSL cannot parse it. */
export function importPublicKey(spki: Uint8Array): KeyObject | undefined {
  try {
    // A view, not a copy: Node reads it before returning.
    return createPublicKey({
      key: Buffer.from(spki.buffer, spki.byteOffset, spki.length),
      format: 'der',
      type: 'spki',
    });
  } catch {
    return undefined;
  }
}

/** Shared instance, with one key cache per process. */
export const nodeCrypto: NodeCrypto = createNodeCrypto();

/**
 * Returns whether the signature is as long as the modulus, as required by RFC 8017 §8.1.2 and §8.2.2. OpenSSL accepts
 * PSS signatures without their leading zeros.
 */
function fitsModulus(key: KeyObject, signature: Uint8Array): boolean {
  const bits = key.asymmetricKeyType?.startsWith('rsa') ? key.asymmetricKeyDetails?.modulusLength : undefined;
  return bits === undefined || signature.length === Math.ceil(bits / 8);
}
