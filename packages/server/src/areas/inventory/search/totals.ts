// How many certificates a search finds. Counting is exact as long as it is quick; where it is not, as with a word that
// is in every tenth name of a large inventory, it ends at a number that nobody pages to. The result is remembered while
// somebody pages.
import { LRUCache } from 'lru-cache';
import type { Executor } from '../../../platform/database/database.ts';
import { withinTime } from '../../../platform/database/time-limit.ts';
import type { Platform } from '../../../platform/platform.ts';

/** People wait for the page, not for the number beside it. */
const EXACT_WITHIN_MS = 300;
/** What is counted to where all would take too long. */
const COUNTED_TO = 10_000;
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 100;

export interface SearchTotal {
  readonly totalItems: number;
  /** False: there are more. */
  readonly totalIsExact: boolean;
}

export interface TotalQuestion {
  /** The same for the same search. */
  readonly key: string;
  /** Counts, to a limit where one is given. */
  readonly count: (executor: Executor, limit?: number) => Promise<number>;
  /** Runs a query as a search may be run. */
  readonly run: (query: (executor: Executor) => Promise<number>) => Promise<number>;
}

export function createSearchTotals(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { exactWithinMs = EXACT_WITHIN_MS, countedTo = COUNTED_TO } = {},
): (question: TotalQuestion) => Promise<SearchTotal> {
  const tooMany = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  async function answer({ key, count, run }: TotalQuestion): Promise<SearchTotal> {
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
    return answer(question);
  };
}
