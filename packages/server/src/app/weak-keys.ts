// The lists of weak keys that the configuration names. A list that cannot be read ends the start: the operator relies
// on it.
import { readWeakKeyLists, type WeakKeyLists } from '../areas/certificates/index.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { ConfigurationError } from './configuration-errors.ts';

export async function openWeakKeyLists(folder: string | undefined, log: Logger): Promise<WeakKeyLists | undefined> {
  if (folder === undefined) return undefined;
  try {
    const lists = await readWeakKeyLists(folder);
    log.info({ folder, keys: lists.size }, 'the lists of weak keys are read');
    return lists;
  } catch (error) {
    throw new ConfigurationError(`--weak-key-lists: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
