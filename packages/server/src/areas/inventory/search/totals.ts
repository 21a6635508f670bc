// Counts the certificates that match a search. The count is exact if that is fast. Otherwise (for example, for a word
// in every tenth name of a large inventory), counting stops at a number that no user pages to. The result is cached
// while the user pages.
import { LRUCache } from 'lru-cache';
import type { Executor } from '../../../platform/database/database.ts';
import { withinTime } from '../../../platform/database/time-limit.ts';
import type { Platform } from '../../../platform/platform.ts';

/** Users wait for the page, not for the total. */
const EXACT_WITHIN_MS = 300;
/** Where counting stops if an exact count would take too long. */
const COUNTED_TO = 10_000;
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 100;

export interface SearchTotal {
  readonly totalItems: number;
  /** False if there are more items. */
  readonly totalIsExact: boolean;
}

export interface TotalQuery {
  /** Identical for identical searches. */
  readonly key: string;
  /** Counts the matches, up to `limit` if specified. */
  readonly count: (executor: Executor, limit?: number) => Promise<number>;
  /** Runs a query under the limits for searches. */
  readonly run: (query: (executor: Executor) => Promise<number>) => Promise<number>;
}

export function createSearchTotals(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { exactWithinMs = EXACT_WITHIN_MS, countedTo = COUNTED_TO } = {},
): (question: TotalQuery) => Promise<SearchTotal> {
  const tooMany = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  async function countTotal({ key, count, run }: TotalQuery): Promise<SearchTotal> {
    const exact = await withinTime({ database, limitMs: exactWithinMs }, (executor) => count(executor));
    if (exact !== undefined) return { totalItems: exact, totalIsExact: true };
    const some = await run((executor) => count(executor, countedTo + 1));
    if (some <= countedTo) return { totalItems: some, totalIsExact: true };
    tooMany.set(key, clock.monotonicMs() + REMEMBERED_MS);
    return { totalItems: countedTo, totalIsExact: false };
  }

  return async (question) => {
    const until = tooMany.get(question.key);
    if (until !== undefined && until > clock.monotonicMs()) return { totalItems: countedTo, totalIsExact: false };
    tooMany.delete(question.key);
    return countTotal(question);
  };
}
