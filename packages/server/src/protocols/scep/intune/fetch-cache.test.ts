import { describe, expect, it } from 'vitest';
import { createFetchCache, type FetchedValue } from './fetch-cache.ts';

function start() {
  let nowMs = 0;
  let fetched = 0;
  const remembered = createFetchCache<string>({ monotonicMs: () => nowMs });
  const fetchIt = async (): Promise<FetchedValue<string>> => ({ value: `value ${(fetched += 1)}`, lastsMs: 100 });
  return {
    remembered,
    get: (key = 'a') => remembered.get(key, fetchIt),
    at: (ms: number) => {
      nowMs = ms;
    },
  };
}

describe('a cached value', () => {
  it('is fetched once and reused until it expires, counting from when it was received', async () => {
    const { get, at } = start();
    at(50);
    expect(await get()).toBe('value 1');
    at(149);
    expect(await get()).toBe('value 1');
    at(150);
    expect(await get()).toBe('value 2');
  });

  it('is shared by all callers waiting for the same key, and by no others', async () => {
    const { get } = start();
    expect(await Promise.all([get(), get(), get('b')])).toEqual(['value 1', 'value 1', 'value 2']);
  });

  it('is fetched again after a failure, which is reported to all waiting callers', async () => {
    const { remembered, get } = start();
    const failFetch = () => Promise.reject(new Error('no'));
    const outcomes = await Promise.allSettled([remembered.get('a', failFetch), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get()).toBe('value 1');
  });

  it('is dropped if it was rejected, but kept if only an earlier value was rejected', async () => {
    const { remembered, get } = start();
    await get();
    remembered.drop('a', 'value 0');
    expect(await get()).toBe('value 1');
    remembered.drop('a', 'value 1');
    expect(await get()).toBe('value 2');
    remembered.drop('a');
    expect(await get()).toBe('value 3');
  });
});
