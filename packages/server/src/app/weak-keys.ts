// Configured weak key lists. An unreadable list aborts the start: the operator relies on it.
import { readWeakKeyLists, type WeakKeyLists } from '../areas/certificates/index.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { ConfigurationError } from './configuration-errors.ts';

export async function openWeakKeyLists(folder: string | undefined, log: Logger): Promise<WeakKeyLists | undefined> {
  if (folder === undefined) return undefined;
  try {
    const lists = await readWeakKeyLists(folder);
    log.info({ folder, keys: lists.size }, 'loaded the weak key lists');
    return lists;
  } catch (error) {
    throw new ConfigurationError(`--weak-key-lists: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
