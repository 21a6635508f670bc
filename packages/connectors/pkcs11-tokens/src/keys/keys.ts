// Finds, generates, lists and destroys token keys.
import { LRUCache } from 'lru-cache';
import { notFound, type ConnectorContext } from '@signetry/connector-sdk';
import type { Libraries } from '../libraries.ts';
import type { Mechanism } from '../module/protocol.ts';
import { rejectionOf } from '../rejections.ts';
import type { TokenAccess } from '../tokens/token-access.ts';
import type { TokenRow } from '../tokens/token-store.ts';
import { keyRowsOf, LISTED_CLASSES, referenceOf } from './key-rows.ts';
import type { KeyRow, KeyStore } from './key-store.ts';
import type { KeyTurns } from './key-turns.ts';

export interface KeyParts {
  readonly store: KeyStore;
  readonly access: TokenAccess;
  readonly turns: KeyTurns;
  readonly randomBytes: ConnectorContext['randomBytes'];
  mechanisms(token: TokenRow): Promise<readonly Mechanism[]>;
  /** Throws 404 if the token has no such key. */
  find(token: TokenRow, uuid: string): Promise<KeyRow>;
  forget(token: TokenRow, uuid: string): void;
}

const MAX_KNOWN = 10_000;

export function createKeyParts(
  parts: Pick<KeyParts, 'store' | 'access' | 'turns' | 'randomBytes'> & { readonly libraries: Libraries },
): KeyParts {
  const rows = new LRUCache<string, KeyRow>({ max: MAX_KNOWN });
  const nameOf = (token: TokenRow, uuid: string): string => `${token.uuid} ${uuid}`;
  return {
    ...parts,
    mechanisms: createMechanismCache(parts.libraries),
    find: async (token, uuid) => {
      const known = rows.get(nameOf(token, uuid));
      if (known) return known;
      const row = await parts.store.find(token.uuid, uuid);
      if (!row) throw notFound('Key', uuid);
      rows.set(nameOf(token, uuid), row);
      return row;
    },
    forget: (token, uuid) => void rows.delete(nameOf(token, uuid)),
  };
}

/** Caches a token's mechanisms, which do not change while its library is running. */
function createMechanismCache({ get }: Libraries): KeyParts['mechanisms'] {
  const known = new Map<string, { readonly generation: number; readonly mechanisms: readonly Mechanism[] }>();
  return async (token) => {
    const library = get(token.library);
    const { client } = library;
    const entry = known.get(token.uuid);
    if (entry && entry.generation === client.generation && client.pid !== undefined) return entry.mechanisms;
    try {
      const reference = { serial: token.serial, label: token.label };
      const mechanisms = await client.call('mechanisms', { token: reference });
      known.set(token.uuid, { generation: client.generation, mechanisms });
      return mechanisms;
    } catch (error) {
      throw rejectionOf(error, { library, operation: 'mechanisms', token });
    }
  };
}

/** Returns all keys on the token, including those created by other programs. */
export async function listKeys({ store, access }: KeyParts, token: TokenRow): Promise<readonly KeyRow[]> {
  const objects = await access.call(token, 'list', { objectClasses: LISTED_CLASSES });
  const rows = keyRowsOf(token, objects);
  await store.put(rows);
  return rows;
}

/** Waits for signatures in progress. No signatures are created with the key afterward. */
export async function destroyKey(parts: KeyParts, token: TokenRow, uuid: string): Promise<void> {
  const { store, access, turns } = parts;
  const row = await parts.find(token, uuid);
  await turns.alone(uuid, async () => {
    await access.call(token, 'destroy', { key: referenceOf(row), keyUuid: uuid });
    await store.remove(token.uuid, uuid);
    parts.forget(token, uuid);
  });
}
