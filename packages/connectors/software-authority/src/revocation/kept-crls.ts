// The octets of the latest CRLs in memory: the next list is made from them, and they are returned to callers. The
// platform in the same process publishes the same octets, so a list is in memory once.
import { LRUCache } from 'lru-cache';

/** Beyond it, the least recently used lists are dropped, and read from the database when needed. */
const MAX_BYTES = 128 * 1024 * 1024;

interface KeptCrl {
  readonly number: number;
  readonly isDelta: boolean;
  readonly der: Uint8Array;
}

export type KeptCrls = ReturnType<typeof createKeptCrls>;

export function createKeptCrls() {
  /** By authority or shard, and kind. A list larger than the bound is kept alone. */
  const lists = new LRUCache<string, KeptCrl>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ der }) => Math.min(der.length, MAX_BYTES),
  });

  return {
    find(ownerUuid: string, number: number): Uint8Array | undefined {
      for (const isDelta of [false, true]) {
        const list = lists.get(slotOf(ownerUuid, isDelta));
        if (list?.number === number) return list.der;
      }
      return undefined;
    },

    /** Replaces the list of the same kind. */
    keep: (ownerUuid: string, list: KeptCrl): void => void lists.set(slotOf(ownerUuid, list.isDelta), list),
  };
}

const slotOf = (ownerUuid: string, isDelta: boolean): string => `${ownerUuid} ${isDelta ? 'delta' : 'full'}`;
