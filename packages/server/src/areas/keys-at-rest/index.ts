// Sealing keys and their rotation. Owns: sealing_key, sealing_node, sealing_rotation, retired_key. Invariants: a value
// is sealed only with a key that every running node has in its file; a key counts as needed until all values have been
// resealed.
import type { KeyRing } from '../../platform/crypto/sealing.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createKeyNodes, type KeyFile } from './nodes.ts';
import { retiredColumn } from './retired-keys.ts';
import { declareRotation, SETTLE_MS } from './rotation.ts';
import { keysAtRestRoutes } from './routes.ts';
import { createKeysAtRestService } from './service.ts';
import type { Database } from '../../platform/database/database.ts';
import * as store from './store.ts';

export type { KeyFile } from './nodes.ts';
export { loadRetiredKeys } from './retired-keys.ts';

export interface KeysAtRestOptions {
  readonly ring: KeyRing;
  readonly file: KeyFile;
  /** All columns with sealed values, from all areas. Called after all areas have registered theirs. */
  readonly columns: () => readonly SealedColumn[];
  readonly audit: AuditTrail;
  /** Time within which values that were sealed before a node switched keys have been stored. */
  readonly settleMs?: number | undefined;
}

export function createKeysAtRestArea(
  platform: Platform,
  options: KeysAtRestOptions,
): Area & { readonly isComplete: () => boolean } {
  const { ring, file, audit, settleMs = SETTLE_MS } = options;
  const nodes = createKeyNodes(platform, { ring, file });
  const columns = () => [retiredColumn, ...options.columns()];
  declareRotation(platform, { ring, nodes, columns, audit, settleMs });
  return {
    routes: keysAtRestRoutes(createKeysAtRestService(platform, { ring, file, nodes, columns, audit })),
    isComplete: nodes.isComplete,
    start: nodes.start,
    stop: nodes.stop,
  };
}

/** Facts about sealing keys needed at startup: which are needed, and which one is current. */
export interface RegisteredKeys {
  readonly needed: readonly string[];
  readonly current: string | undefined;
}

/** Returns the registered keys. If there are none, the first node to start registers those in its file. */
export async function registerKeys(database: Database, idsInFile: readonly string[]): Promise<RegisteredKeys> {
  const read = await readKeys(database);
  if (read.current !== undefined || idsInFile.length === 0) return read;
  await database.transaction(async (tx) => {
    await store.lockKeys(tx);
    if ((await store.findKeys(tx)).length === 0) await store.insertKeys(tx, idsInFile);
  });
  return readKeys(database);
}

async function readKeys({ executor }: Database): Promise<RegisteredKeys> {
  const rows = await store.findKeys(executor);
  return {
    needed: rows.filter(({ retired_at }) => retired_at === null).map(({ key_id }) => key_id),
    current: rows.find(({ is_current }) => is_current)?.key_id,
  };
}
