// Cache of values that are fetched once, shared by all callers, and fetched again when they expire or are rejected.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.ts';

/** Maximum number of values, a few for each tenant and application. */
const MAX_VALUES = 1_000;

export interface FetchedValue<Value> {
  readonly value: Value;
  readonly lastsMs: number;
}

export interface FetchCache<Value> {
  get(key: string, fetchIt: () => Promise<FetchedValue<Value>>): Promise<Value>;
  /** Removes a rejected value. If a different value has been fetched in the meantime, it is kept. */
  drop(key: string, refused?: Value): void;
}

export function createFetchCache<Value>({ monotonicMs }: Pick<Clock, 'monotonicMs'>): FetchCache<Value> {
  interface Entry {
    readonly pending: Promise<Value>;
    value?: Value;
    endsAtMs: number;
  }
  const entries = new LRUCache<string, Entry>({ maxSize: MAX_VALUES, sizeCalculation: () => 1 });

  function startFetch(key: string, fetchIt: () => Promise<FetchedValue<Value>>): Entry {
    const fetched = fetchIt();
    const entry: Entry = { pending: fetched.then(({ value }) => value), endsAtMs: Infinity };
    entries.set(key, entry);
    fetched.then(
      ({ value, lastsMs }) => Object.assign(entry, { value, endsAtMs: monotonicMs() + lastsMs }),
      // A failure is passed to the waiting callers, and not cached.
      () => entries.peek(key) === entry && entries.delete(key),
    );
    return entry;
  }

  return {
    get(key, fetchIt) {
      const known = entries.get(key);
      return (known && known.endsAtMs > monotonicMs() ? known : startFetch(key, fetchIt)).pending;
    },
    drop(key, refused) {
      if (refused === undefined || entries.peek(key)?.value === refused) entries.delete(key);
    },
  };
}
