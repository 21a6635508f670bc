// What takes long to count is remembered, with the time when it was counted. What is counted quickly never is: then the
// figures are those of this moment. Whoever asks for what is old gets it at once, and it is counted anew behind them.
import { LRUCache } from 'lru-cache';
import type { Platform } from '../../platform/platform.ts';

/** People do not wait for less than this. */
const QUICK_MS = 100;
const FRESH_MS = 60_000;
const LONGEST_MS = 3_600_000;
/** Callers see different certificates, and a result may have some hundred kilobytes. */
const MAX_REMEMBERED = 50;

interface Dated {
  readonly countedAt: string;
}

export interface Remembered {
  /** `key` names what is counted and for whom. */
  recall<Result extends Dated>(key: unknown, count: () => Promise<Result>): Promise<Result>;
}

export function createRemembered({
  clock,
  log,
  quickMs = QUICK_MS,
}: Pick<Platform, 'clock' | 'log'> & { readonly quickMs?: number }): Remembered {
  const known = new LRUCache<string, Dated>({ max: MAX_REMEMBERED });
  const underWay = new Map<string, Promise<Dated>>();

  async function countAnew(key: string, count: () => Promise<Dated>): Promise<Dated> {
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

  /** Whoever asks while it is counted waits for the same result. */
  function countOnce(key: string, count: () => Promise<Dated>): Promise<Dated> {
    const counting = underWay.get(key) ?? countAnew(key, count);
    underWay.set(key, counting);
    return counting;
  }

  return {
    async recall<Result extends Dated>(of: unknown, count: () => Promise<Result>): Promise<Result> {
      const key = JSON.stringify(of, (_, value: unknown) => (value instanceof Set ? [...value].toSorted() : value));
      const remembered = known.get(key);
      const age = remembered && clock.now().getTime() - Date.parse(remembered.countedAt);
      // A key names one kind of result.
      if (age === undefined || age > LONGEST_MS) return (await countOnce(key, count)) as Result;
      if (age > FRESH_MS)
        countOnce(key, count).catch((error: unknown) =>
          log.warn({ err: error }, 'statistics could not be counted anew'),
        );
      return remembered as Result;
    },
  };
}
