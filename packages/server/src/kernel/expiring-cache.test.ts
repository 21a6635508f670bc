import { describe, expect, it } from 'vitest';
import { createExpiringCache } from './expiring-cache.ts';

function startCache(options: { readonly maxEntries?: number } = {}) {
  let nowMs = 0;
  const loaded: string[] = [];
  const cache = createExpiringCache<string, string>({
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    ttlMs: 1_000,
    load: async (key) => {
      loaded.push(key);
      if (key === 'broken') throw new Error('the database went away');
      return `${key} ${loaded.length}`;
    },
    ...options,
  });
  return { cache, loaded, pass: (ms: number) => (nowMs += ms) };
}

describe('an expiring cache', () => {
  it('loads an entry only once until it expires', async () => {
    const { cache, pass } = startCache();
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['a 1', 'a 1']);
    pass(999);
    expect(await cache.get('a')).toBe('a 1');
    pass(1);
    expect(await cache.get('a')).toBe('a 2');
  });

  it('drops invalidated entries, either for a single key or for all keys', async () => {
    const { cache, loaded } = startCache();
    for (const key of ['a', 'b']) await cache.get(key);
    cache.invalidate('a');
    for (const key of ['a', 'b']) await cache.get(key);
    expect(loaded).toEqual(['a', 'b', 'a']);
    cache.invalidate();
    await cache.get('b');
    expect(loaded).toEqual(['a', 'b', 'a', 'b']);
  });

  it('returns an outdated value to callers already waiting for it, but not to later callers', async () => {
    const { cache } = startCache();
    const overtaken = cache.get('a');
    cache.invalidate('a');
    expect([await overtaken, await cache.get('a')]).toEqual(['a 1', 'a 2']);
  });

  it('does not cache failures', async () => {
    const { cache, loaded } = startCache();
    await expect(cache.get('broken')).rejects.toThrow('the database went away');
    await expect(cache.get('broken')).rejects.toThrow('the database went away');
    expect(loaded).toHaveLength(2);
  });

  it('holds at most the maximum number of entries, and evicts the least recently used entry', async () => {
    const { cache, loaded } = startCache({ maxEntries: 2 });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key);
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
  });
});
