// In-memory cache of the latest encoded CRLs: the next CRL is derived from them, and they are returned to callers. A
// platform in the same process publishes the same buffers, so each CRL is in memory only once.
import { LRUCache } from 'lru-cache';

/** Above this size, the least recently used CRLs are evicted and read from the database when needed. */
const MAX_BYTES = 128 * 1024 * 1024;

interface CachedCrl {
  readonly number: number;
  readonly isDelta: boolean;
  readonly der: Uint8Array;
}

export type CrlCache = ReturnType<typeof createCrlCache>;

export function createCrlCache() {
  /** Keyed by type and by authority or partition. A CRL larger than the limit is cached alone. */
  const lists = new LRUCache<string, CachedCrl>({
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

    /** Replaces the CRL of the same type. */
    keep: (ownerUuid: string, list: CachedCrl): void => void lists.set(slotOf(ownerUuid, list.isDelta), list),
  };
}

const slotOf = (ownerUuid: string, isDelta: boolean): string => `${ownerUuid} ${isDelta ? 'delta' : 'full'}`;
