// Keys with which a provider signs its tokens: a JWK set (RFC 7517 §5), which an administrator specified or which was
// fetched.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JwkDto } from '@signetry/contract';
import { isObject } from '../../../kernel/is-object.ts';

export interface ProviderKey {
  readonly keyId: string;
  readonly key: KeyObject;
  readonly keyType: string;
  readonly algorithm: string | undefined;
  readonly use: string | undefined;
}

/** Problem with a JWK set. The message completes "The JWK set …". */
export class KeySetError extends Error {}

/** More than any provider publishes; each takes time to parse. */
const MAX_KEYS = 100;

/**
 * Returns the keys that can verify signatures and skips all others, as RFC 7517 §5 recommends. Rejects sets that
 * contain secret keys, because anyone who can read such a set can sign.
 */
export function readKeySet(set: unknown): ProviderKey[] {
  if (!isObject(set) || !Array.isArray(set['keys'])) throw new KeySetError('is not a JSON object with a list of keys');
  const keys: readonly unknown[] = set['keys'];
  if (keys.length > MAX_KEYS) throw new KeySetError(`has more than ${MAX_KEYS} keys`);
  const read = keys.flatMap(readKey);
  if (read.length === 0) throw new KeySetError('contains no key for verifying signatures');
  return read;
}

/** Reads a Base64-encoded JWK set, as stored in the settings. */
export function readStoredKeySet(base64: string): ProviderKey[] {
  try {
    return readKeySet(JSON.parse(Buffer.from(base64, 'base64').toString()));
  } catch (error) {
    if (error instanceof SyntaxError) throw new KeySetError('is not Base64-encoded JSON');
    throw error;
  }
}

function readKey(jwk: unknown): ProviderKey[] {
  if (!isObject(jwk)) return [];
  if (jwk['kty'] === 'oct' || 'd' in jwk)
    throw new KeySetError('contains a secret or private key; specify only the public keys');
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') return [];
  const text = (name: string) => (typeof jwk[name] === 'string' ? jwk[name] : undefined);
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return [
      {
        keyId: text('kid') ?? thumbprint(key),
        key,
        keyType: text('kty') ?? '',
        algorithm: text('alg'),
        use: text('use'),
      },
    ];
  } catch {
    return []; // Node does not know the key type.
  }
}

/** Returns a substitute for a missing key ID. */
const thumbprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

export const presentKey = ({ keyId, key, keyType, algorithm, use }: ProviderKey): JwkDto => ({
  kid: keyId,
  publicKey: key.export({ type: 'spki', format: 'der' }).toString('base64'),
  keyType,
  algorithm,
  use,
});
