// A token's mechanisms, identified by number.
import type { KeyParts } from '../keys/keys.ts';
import type { TokenRow } from '../tokens/token-store.ts';

export const numbersOf = async (parts: KeyParts, token: TokenRow): Promise<ReadonlySet<number>> =>
  new Set((await parts.mechanisms(token)).map(({ mechanism }) => mechanism));
