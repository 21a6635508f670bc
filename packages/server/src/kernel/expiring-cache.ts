// Caches what was read for a short time, so that hot paths do not read the same row for every request. After a change
// on this node `invalidate` drops the entry; a change on another node is seen when the entry expires.
import type { Clock } from './clock.ts';

/** The longest time after which a change is visible on every node, less a margin. */
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

export function createExpiringCache<Key, Value>(options: ExpiringCacheOptions<Key, Value>): ExpiringCache<Key, Value> {
  const { load, clock, ttlMs = CONFIGURATION_TTL_MS, maxEntries = 10_000 } = options;
  const entries = new Map<Key, { readonly value: Promise<Value>; readonly expiresAtMs: number }>();

  return {
    get(key) {
      const now = clock.monotonicMs();
      const known = entries.get(key);
      if (known && known.expiresAtMs > now) return known.value;
      const value = load(key);
      entries.delete(key);
      entries.set(key, { value, expiresAtMs: now + ttlMs });
      // A failed load is not cached, and a result that an invalidation overtook is not put back.
      value.catch(() => {
        if (entries.get(key)?.value === value) entries.delete(key);
      });
      if (entries.size > maxEntries) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      return value;
    },
    invalidate(key) {
      if (key === undefined) entries.clear();
      else entries.delete(key);
    },
  };
}
