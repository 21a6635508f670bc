// Destroys keys: deletes the row, waits for other processes, and only then responds.
import { notFound } from '@signetry/connector-sdk';
import { isUuid } from '../problems.ts';
import type { ActiveTokens } from '../tokens/active-tokens.ts';
import type { KeyReference, KeyStore } from './key-store.ts';

/** Once this resolves, no process signs with the key. Also works while the token is deactivated. */
export async function destroyKey(
  { keys, active }: { readonly keys: KeyStore; readonly active: ActiveTokens },
  address: KeyReference,
): Promise<void> {
  const isKnown = isUuid(address.token) && isUuid(address.key) && (await keys.remove(address));
  active.peek(address.token)?.forgetKeys();
  if (!isKnown) throw notFound('Key', address.key);
  await active.outlast(address.token);
}
