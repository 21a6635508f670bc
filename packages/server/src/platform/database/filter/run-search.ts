// Runs a filtered query. The database validates and runs regular expressions, and free text may require a scan of all
// rows. Such queries run in a transaction with a time limit, and only a few can run simultaneously, so that slow ones
// cannot occupy all of the platform's connections.
import { AppError, rejected } from '../../../kernel/errors.ts';
import { sqlState } from '../database-errors.ts';
import type { Database, Executor } from '../database.ts';
import { limitStatements, QUERY_CANCELED } from '../time-limit.ts';
import type { SqlCondition } from './compile.ts';

/** Time limit for patterns, which users may make slow on purpose; users do not wait longer than this for a form. */
const PATTERN_TIMEOUT_MS = 5_000;
/** Maximum number of simultaneous searches with patterns or free text, out of a process's connections. */
const PLACES = 2;
/** Maximum number of callers that wait for a slot. */
const MAX_WAITING = 20;

const INVALID_REGULAR_EXPRESSION = '2201B';

export interface SearchRun {
  readonly database: Database;
  readonly conditions: readonly SqlCondition[];
  /** Whether the query also searches free text. */
  readonly freeText?: boolean;
  /** Whether the query always needs a transaction. */
  readonly inTransaction?: boolean;
  readonly patternTimeoutMs?: number;
}

/**
 * Runs `query` with an executor that is safe for the conditions. Rejects an invalid or slow expression with the name of
 * its field.
 */
export async function runSearch<Result>(
  { database, conditions, freeText = false, inTransaction = false, patternTimeoutMs = PATTERN_TIMEOUT_MS }: SearchRun,
  query: (executor: Executor) => Promise<Result>,
): Promise<Result> {
  const patterns = conditions.filter((condition) => condition.kind === 'matches');
  if (patterns.length === 0 && !freeText) return inTransaction ? database.transaction(query) : query(database.executor);
  const releaseSlot = await acquireSlot(database);
  try {
    return await database.transaction(async (tx) => {
      await limitStatements(tx, patternTimeoutMs);
      return query(tx);
    });
  } catch (error) {
    const names = [...new Set(patterns.map(({ field }) => field.identifier))].join(', ');
    switch (sqlState(error)) {
      case INVALID_REGULAR_EXPRESSION:
        throw rejected(`${names}: the value is not a regular expression that PostgreSQL supports`);
      case QUERY_CANCELED:
        throw rejected(
          patterns.length === 0
            ? `The search took longer than ${patternTimeoutMs / 1000} s; search for a longer word or add a filter.`
            : `${names}: the regular expression took longer than ${patternTimeoutMs / 1000} s; use a simpler one`,
        );
      default:
        throw error;
    }
  } finally {
    releaseSlot();
  }
}

/**
 * Waits for a slot for a potentially slow query, from the slots that searches use; the returned function releases it.
 */
export const acquireSlot = (database: Database): Promise<() => void> => queueOf(database).enter();

interface SlotQueue {
  /** Resolves when a slot is available; the returned function releases it. */
  enter(): Promise<() => void>;
}

/** One queue per connection pool, since connections are the limited resource. */
const lines = new WeakMap<Database, SlotQueue>();

function queueOf(database: Database): SlotQueue {
  const line = lines.get(database) ?? createQueue();
  lines.set(database, line);
  return line;
}

function createQueue(): SlotQueue {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const releaseSlot = () => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    async enter() {
      if (taken < PLACES) taken += 1;
      else if (waiting.length >= MAX_WAITING)
        throw new AppError('too_many_requests', {
          what: 'concurrent slow searches and counts',
          retryAfterS: PATTERN_TIMEOUT_MS / 1000,
        });
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return releaseSlot;
    },
  };
}
