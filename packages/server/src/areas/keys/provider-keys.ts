// Converts keys returned by a provider to database rows.
import { createHash } from 'node:crypto';
import { cryptographyProviderOperations, type KeyDataResponseDto, type MetadataAttribute } from '@signetry/contract';
import { isPkiError, parsePublicKey } from '@signetry/pki';
import { AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { callFailureOf } from '../connectors/index.ts';
import type { ReachedToken } from '../tokens/index.ts';
import { possibleMask } from './key-state.ts';
import type { NewKeyItem } from './tables.ts';

export interface ProvidedItem {
  readonly row: NewKeyItem;
  readonly metadata: readonly MetadataAttribute[];
}

interface ItemFacts {
  readonly keyUuid: string;
  /** Usages granted to the key, as a mask; each item receives those that it supports. */
  readonly usages: number;
  readonly enabled: boolean;
  readonly now: Date;
  /** Name of the connector, for error messages. */
  readonly connector: string;
}

/**
 * Returns the items of one key: either a secret key, or both halves of a key pair. Rejects unusable responses (502).
 */
export function itemsOfKey(provided: readonly KeyDataResponseDto[], facts: ItemFacts): ProvidedItem[] {
  const fingerprint = fingerprintOf(provided, facts.connector);
  return provided.map(({ uuid: reference, name, keyData }): ProvidedItem => {
    const { type, algorithm, format, value, length, metadata = [] } = keyData;
    // Secret values stay with the provider, even if it returns them.
    const isPublic = type === 'Public' && 'value' in value;
    const row: NewKeyItem = {
      uuid: newUuid(),
      key_uuid: facts.keyUuid,
      name,
      reference,
      type,
      algorithm,
      format,
      length,
      key_data: isPublic ? value.value : null,
      public_key_fingerprint: fingerprint ?? null,
      usages: possibleMask(facts.usages, { type, algorithm }),
      enabled: facts.enabled,
      state: 'active',
      reason: null,
      created_at: facts.now,
      updated_at: facts.now,
    };
    return { row, metadata };
  });
}

/** Returns the fingerprint of the public half, if there is one. */
function fingerprintOf(provided: readonly KeyDataResponseDto[], connector: string): string | undefined {
  const keyData = provided.find(({ keyData: { type } }) => type === 'Public')?.keyData;
  if (keyData?.format !== 'SubjectPublicKeyInfo' || !('value' in keyData.value)) return undefined;
  const spki = Buffer.from(keyData.value.value, 'base64');
  try {
    parsePublicKey(spki);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    const problem = `its public key is not a SubjectPublicKeyInfo: ${error.message}`;
    throw new AppError('connector_failed', { connector, problem }, { cause: error });
  }
  return createHash('sha256').update(spki).digest('hex');
}

/** Destroys a key at its provider. A 404 response is ignored, because it means that the key no longer exists. */
export async function destroyAtProvider(
  { client, params }: ReachedToken,
  reference: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const path = { params: { ...params, keyUuid: reference } };
    await client.call(cryptographyProviderOperations.destroyKey, path, { signal });
  } catch (error) {
    if (callFailureOf(error)?.kind !== 'notFound') throw error;
  }
}
