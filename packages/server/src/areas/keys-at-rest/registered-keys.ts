// Facts about sealing keys needed at startup: which are needed, and which one is current.
import type { Database } from '../../platform/database/database.ts';
import * as store from './store.ts';

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
