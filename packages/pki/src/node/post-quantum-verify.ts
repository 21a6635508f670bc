// Verification of composite and pre-hash signatures, which OpenSSL does not offer as such.
import { hash, verify } from 'node:crypto';
import {
  compositeKeyInfos,
  compositeLabel,
  compositeMessage,
  splitCompositeKey,
  splitCompositeSignature,
  type CompositeAlgorithm,
} from '../composite.ts';
import { isPkiError } from '../errors.ts';
import { parsePublicKey } from '../keys.ts';
import { preHashMessage, type PreHashAlgorithm } from '../pre-hash.ts';
import { signatureAlgorithm } from '../algorithms.ts';
import { verifyEncodedMlDsa } from './ml-dsa-verify.ts';
import { verifyEncodedSlhDsa } from './slh-dsa-verify.ts';
import type { KeyObject } from 'node:crypto';
import type { VerifySignature } from '../crypto.ts';

const SHAKE_LENGTHS: Readonly<Record<string, number>> = { shake128: 32, shake256: 64 };

function digestOf(name: string, data: Uint8Array): Uint8Array {
  const outputLength = SHAKE_LENGTHS[name];
  return hash(name, data, { outputEncoding: 'buffer', ...(outputLength !== undefined && { outputLength }) });
}

interface Signed {
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** Returns the bytes of a public key with this algorithm, or `undefined` for any other key. */
function keyBytesOf(spki: Uint8Array, oid: string): Uint8Array | undefined {
  try {
    const key = parsePublicKey(spki);
    return key.algorithm.oid === oid ? key.keyBytes : undefined;
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

/** Functions of the caller, with its cache of imported keys. */
export interface PartVerification {
  readonly publicKey: (spki: Uint8Array) => KeyObject | undefined;
  readonly verify: VerifySignature;
}

/** Returns whether both parts of a composite signature are valid. */
export function verifyComposite(
  algorithm: CompositeAlgorithm,
  { spki, data, signature }: Signed & { readonly spki: Uint8Array },
  own: PartVerification,
): boolean {
  const keyBytes = keyBytesOf(spki, algorithm.oid);
  const keys = keyBytes && splitCompositeKey(keyBytes, algorithm);
  const signatures = splitCompositeSignature(signature, algorithm);
  if (keys === undefined || signatures === undefined) return false;
  const infos = compositeKeyInfos(keys, algorithm);
  const message = compositeMessage(algorithm, digestOf(algorithm.digest, data));
  const postQuantumKey = own.publicKey(infos.postQuantum);
  const traditionalKey = own.publicKey(infos.traditional);
  if (postQuantumKey === undefined || traditionalKey === undefined) return false;
  const { rsaBits } = algorithm;
  if (rsaBits !== undefined && traditionalKey.asymmetricKeyDetails?.modulusLength !== rsaBits) return false;
  const isTraditional = own.verify(infos.traditional, {
    algorithm: signatureAlgorithm(algorithm.traditional),
    data: message,
    signature: signatures.traditional,
  });
  if (!isTraditional) return false;
  try {
    return verify(null, message, { key: postQuantumKey, context: compositeLabel(algorithm) }, signatures.postQuantum);
  } catch {
    return false; // OpenSSL throws for malformed signatures.
  }
}

/** Returns whether a HashML-DSA or HashSLH-DSA signature is valid. */
export function verifyPreHash(
  algorithm: PreHashAlgorithm,
  { spki, data, signature }: Signed & { readonly spki: Uint8Array },
): boolean {
  const keyBytes = keyBytesOf(spki, algorithm.oid);
  if (keyBytes === undefined) return false;
  const input = { keyBytes, message: preHashMessage(algorithm, digestOf(algorithm.digest, data)), signature };
  return algorithm.family === 'HashML-DSA'
    ? verifyEncodedMlDsa(algorithm.parameterSet, input)
    : verifyEncodedSlhDsa(algorithm.parameterSet, input);
}
