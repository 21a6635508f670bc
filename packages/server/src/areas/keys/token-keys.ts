// Keys in tokens as built-in connectors use them: by identifier, in the name of the platform. Who may have a connector
// use a key is judged where the key is named, in the values of attributes.
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

/** Keys whose public half is remembered; whether a key may be used is asked each time. */
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
      throw refusalOf(error);
    }
  }

  /** A token that does not answer is named, so that people find it. */
  async function tokenRefusal(key: SigningKey, error: unknown): Promise<unknown> {
    if (!isAppError(error) || !callFailureOf(error)) return refusalOf(error);
    const name = await tokens.find(key.tokenUuid).then(
      (token) => token.name,
      () => key.tokenUuid,
    );
    const problem = problemsOf(error).join(' ');
    return new TokenKeyError('unavailable', `The key ${key.name} in the token ${name} does not sign: ${problem}`, {
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
        throw await tokenRefusal(key, error);
      }
    },
  };
}

/** A refusal of the platform itself; anything else is a fault and stays one. */
function refusalOf(error: unknown): unknown {
  if (!isAppError(error)) return error;
  const options = { cause: error };
  if (error.code === 'object_not_found') return new TokenKeyError('unknown', error.message, options);
  const isRule = error.code === 'rejected_by_rules' || error.code === 'invalid_state';
  return new TokenKeyError(isRule ? 'notAllowed' : 'unavailable', error.message, options);
}
