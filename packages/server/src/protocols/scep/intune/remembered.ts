// Values that are fetched once, shared by all who want them, and fetched anew when they end or were refused.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.ts';

/** By tenant and application, each with a few values. */
const MAX_VALUES = 1_000;

export interface Fetched<Value> {
  readonly value: Value;
  readonly lastsMs: number;
}

export interface Remembered<Value> {
  get(key: string, fetchIt: () => Promise<Fetched<Value>>): Promise<Value>;
  /** The value that was refused; one that was fetched meanwhile stays. */
  drop(key: string, refused?: Value): void;
}

export function createRemembered<Value>({ monotonicMs }: Pick<Clock, 'monotonicMs'>): Remembered<Value> {
  interface Entry {
    readonly pending: Promise<Value>;
    value?: Value;
    endsAtMs: number;
  }
  const entries = new LRUCache<string, Entry>({ maxSize: MAX_VALUES, sizeCalculation: () => 1 });

  function begin(key: string, fetchIt: () => Promise<Fetched<Value>>): Entry {
    const fetched = fetchIt();
    const entry: Entry = { pending: fetched.then(({ value }) => value), endsAtMs: Infinity };
    entries.set(key, entry);
    fetched.then(
      ({ value, lastsMs }) => Object.assign(entry, { value, endsAtMs: monotonicMs() + lastsMs }),
      // A failure is told to who waits, and not remembered.
      () => entries.peek(key) === entry && entries.delete(key),
    );
    return entry;
  }

  return {
    get(key, fetchIt) {
      const known = entries.get(key);
      return (known && known.endsAtMs > monotonicMs() ? known : begin(key, fetchIt)).pending;
    },
    drop(key, refused) {
      if (refused === undefined || entries.peek(key)?.value === refused) entries.delete(key);
    },
  };
}
