// Caches results that take a long time to count, along with the time at which they were counted. Results that can be
// counted quickly are never cached, so they are always current. A request for an outdated result returns it immediately
// and triggers a recount in the background.
import { LRUCache } from 'lru-cache';
import type { Platform } from '../../platform/platform.ts';

/** Results that take less time than this to count are not cached. */
const QUICK_MS = 100;
const FRESH_MS = 60_000;
const LONGEST_MS = 3_600_000;
/** The number is low because callers see different certificates, and a result can be hundreds of kilobytes in size. */
const MAX_REMEMBERED = 50;

interface DatedResult {
  readonly countedAt: string;
}

export interface ResultCache {
  /** Returns the cached result for `key`, or counts. `key` identifies what is counted, and for which caller. */
  recall<Result extends DatedResult>(key: unknown, count: () => Promise<Result>): Promise<Result>;
}

export function createResultCache({
  clock,
  log,
  quickMs = QUICK_MS,
}: Pick<Platform, 'clock' | 'log'> & { readonly quickMs?: number }): ResultCache {
  const known = new LRUCache<string, DatedResult>({ max: MAX_REMEMBERED });
  const underWay = new Map<string, Promise<DatedResult>>();

  async function countAgain(key: string, count: () => Promise<DatedResult>): Promise<DatedResult> {
    const begun = clock.monotonicMs();
    try {
      const result = await count();
      if (clock.monotonicMs() - begun < quickMs) known.delete(key);
      else known.set(key, result);
      return result;
    } finally {
      underWay.delete(key);
    }
  }

  /** Concurrent requests share a single count. */
  function countOnce(key: string, count: () => Promise<DatedResult>): Promise<DatedResult> {
    const counting = underWay.get(key) ?? countAgain(key, count);
    underWay.set(key, counting);
    return counting;
  }

  return {
    async recall<Result extends DatedResult>(of: unknown, count: () => Promise<Result>): Promise<Result> {
      const key = JSON.stringify(of, (_, value: unknown) => (value instanceof Set ? [...value].toSorted() : value));
      const remembered = known.get(key);
      const age = remembered && clock.now().getTime() - Date.parse(remembered.countedAt);
      // Each key has a single result type.
      if (age === undefined || age > LONGEST_MS) return (await countOnce(key, count)) as Result;
      if (age > FRESH_MS)
        countOnce(key, count).catch((error: unknown) => log.warn({ err: error }, 'cannot recount statistics'));
      return remembered as Result;
    },
  };
}
