// Destroys keys: the row goes, other processes are waited for, and only then the answer is given.
import { notFound } from '@signetry/connector-sdk';
import { isUuid } from '../problems.ts';
import type { ActiveTokens } from '../tokens/active-tokens.ts';
import type { KeyAddress, KeyStore } from './key-store.ts';

/** After it is answered the key signs nowhere. Also while the token is deactivated. */
export async function destroyKey(
  { keys, active }: { readonly keys: KeyStore; readonly active: ActiveTokens },
  address: KeyAddress,
): Promise<void> {
  const isKnown = isUuid(address.token) && isUuid(address.key) && (await keys.remove(address));
  active.peek(address.token)?.forgetKeys();
  if (!isKnown) throw notFound('Key', address.key);
  await active.outlast(address.token);
}
