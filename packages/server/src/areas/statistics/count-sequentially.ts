// Runs queries that count certificates individually, with a time limit and for only a few callers at a time.
import { AppError } from '../../kernel/errors.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { acquireSlot } from '../../platform/database/filter/run-search.ts';
import { withinTime } from '../../platform/database/time-limit.ts';

export interface CountingLimit {
  readonly database: Database;
  readonly limitMs: number;
  /** Suggested fix if the limit is exceeded. */
  readonly advice: string;
}

/** Counters would return a result immediately, but they cover all certificates. */
export async function countSequentially<Result>(
  { database, limitMs, advice }: CountingLimit,
  query: (executor: Executor) => Promise<Result>,
): Promise<Result> {
  const leave = await acquireSlot(database);
  try {
    const counted = await withinTime({ database, limitMs }, query);
    if (counted !== undefined) return counted;
  } finally {
    leave();
  }
  throw new AppError('unavailable', {
    reason: `counting the certificates that you can list takes longer than ${limitMs} ms; ${advice}`,
  });
}
