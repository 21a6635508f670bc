// Keys that a provider signs its tokens with: a JWK set (RFC 7517 §5), given by an administrator or fetched.
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

/** What is wrong with a JWK set, in words that complete "The JWK set …". */
export class KeySetError extends Error {}

/** More than any provider publishes; each takes a while to read. */
const MAX_KEYS = 100;

/**
 * The keys that signatures can be checked with. Others are skipped, as RFC 7517 §5 asks; keys that ought to be secret
 * are refused, since whoever reads them can sign.
 */
export function readKeySet(set: unknown): ProviderKey[] {
  if (!isObject(set) || !Array.isArray(set['keys'])) throw new KeySetError('is no JSON object with a list of keys');
  const keys: readonly unknown[] = set['keys'];
  if (keys.length > MAX_KEYS) throw new KeySetError(`has more than ${MAX_KEYS} keys`);
  const read = keys.flatMap(readKey);
  if (read.length === 0) throw new KeySetError('has no key that signatures can be checked with');
  return read;
}

/** Of Base64 text, as the settings carry it. */
export function readStoredKeySet(base64: string): ProviderKey[] {
  try {
    return readKeySet(JSON.parse(Buffer.from(base64, 'base64').toString()));
  } catch (error) {
    if (error instanceof SyntaxError) throw new KeySetError('is no JSON in Base64');
    throw error;
  }
}

function readKey(jwk: unknown): ProviderKey[] {
  if (!isObject(jwk)) return [];
  if (jwk['kty'] === 'oct' || 'd' in jwk)
    throw new KeySetError('holds a secret or private key; give the public keys only');
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
    return []; // of a type that Node does not know
  }
}

/** Stands in for an identifier that is missing. */
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
