// Caches values for a short time, so that hot paths do not read the same row for every request. After a change on this
// node, `invalidate` removes the entry; a change on a different node becomes visible when the entry expires.
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** Maximum time until a change is visible on every node, minus a margin. */
export const CONFIGURATION_TTL_MS = 4_000;

export interface ExpiringCache<Key, Value> {
  get(key: Key): Promise<Value>;
  invalidate(key?: Key): void;
}

export interface ExpiringCacheOptions<Key, Value> {
  readonly load: (key: Key) => Promise<Value>;
  readonly clock: Clock;
  readonly ttlMs?: number;
  readonly maxEntries?: number;
}

export function createExpiringCache<Key extends {}, Value>(
  options: ExpiringCacheOptions<Key, Value>,
): ExpiringCache<Key, Value> {
  const { load, clock, ttlMs = CONFIGURATION_TTL_MS, maxEntries = 10_000 } = options;
  // The cache is limited by size, with each entry counting as one. A limit on the number of entries would allocate
  // memory for all of them in advance (400 kB for 10,000), and most of these caches contain only a few.
  const entries = new LRUCache<Key, { readonly value: Promise<Value>; readonly expiresAtMs: number }>({
    maxSize: maxEntries,
    sizeCalculation: () => 1,
  });

  return {
    get(key) {
      const now = clock.monotonicMs();
      const known = entries.get(key);
      if (known && known.expiresAtMs > now) return known.value;
      const value = load(key);
      entries.set(key, { value, expiresAtMs: now + ttlMs });
      // Removes a failed load from the cache, but not a newer entry that was added after an invalidation.
      value.catch(() => {
        if (entries.peek(key)?.value === value) entries.delete(key);
      });
      return value;
    },
    invalidate(key) {
      if (key === undefined) entries.clear();
      else entries.delete(key);
    },
  };
}
