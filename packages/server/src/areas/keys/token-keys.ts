// Access to keys in tokens for built-in connectors, which refer to keys by UUID and act on behalf of the platform.
// Whether a connector may use a key is checked where attribute values reference the key.
import { LRUCache } from 'lru-cache';
import { TokenKeyError, type TokenKeys } from '@signetry/connector-sdk';
import { signatureAlgorithm } from '@signetry/pki';
import { coreContext } from '../../kernel/actor.ts';
import { isAppError, problemsOf } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { callFailureOf } from '../connectors/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { signatureValuesOf } from './mechanism-attributes.ts';
import type { SigningKey, SigningKeys } from './signing-keys.ts';

/** Number of keys whose public half is cached. Whether a key can be used is checked every time. */
const MAX_KNOWN = 256;

export interface TokenKeyParts {
  readonly signing: SigningKeys;
  readonly tokens: Pick<Tokens, 'find'>;
}

export function createTokenKeys({ signing, tokens }: TokenKeyParts): TokenKeys {
  const known = new LRUCache<string, SigningKey>({ max: MAX_KNOWN });

  async function find(keyUuid: string): Promise<SigningKey> {
    try {
      const key = await signing.find(keyUuid);
      known.set(keyUuid, key);
      return key;
    } catch (error) {
      throw rejectionOf(error);
    }
  }

  /** If a token does not respond, the error message names the token so that administrators can find it. */
  async function tokenRejection(key: SigningKey, error: unknown): Promise<unknown> {
    if (!isAppError(error) || !callFailureOf(error)) return rejectionOf(error);
    const name = await tokens.find(key.tokenUuid).then(
      (token) => token.name,
      () => key.tokenUuid,
    );
    const problem = problemsOf(error).join(' ');
    return new TokenKeyError('unavailable', `Key ${key.name} in token ${name} cannot sign: ${problem}`, {
      cause: error,
    });
  }

  return {
    find: async (keyUuid) => {
      const { uuid, name, publicKey } = await find(keyUuid);
      return { uuid, name, spki: publicKey.spki };
    },
    sign: async (keyUuid, { algorithm, data }) => {
      const key = known.get(keyUuid) ?? (await find(keyUuid));
      const attributes = signatureValuesOf(signatureAlgorithm(algorithm));
      try {
        return await signing.sign(key, { attributes, data }, coreContext(newUuid()));
      } catch (error) {
        known.delete(keyUuid);
        throw await tokenRejection(key, error);
      }
    },
  };
}

/**
 * Converts errors by which the platform itself rejected the request. Any other error is a fault and is returned
 * unchanged.
 */
function rejectionOf(error: unknown): unknown {
  if (!isAppError(error)) return error;
  const options = { cause: error };
  if (error.code === 'object_not_found') return new TokenKeyError('unknown', error.message, options);
  const isRule = error.code === 'rejected_by_rules' || error.code === 'invalid_state';
  return new TokenKeyError(isRule ? 'notAllowed' : 'unavailable', error.message, options);
}
