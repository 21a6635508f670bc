// Runs a filtered query. Regular expressions are judged and run by the database, and free text may have to be looked
// for in every row: in a transaction with a time limit, and only a few at a time, so that slow ones cannot take every
// connection from the rest of the platform.
import { AppError, rejected } from '../../../kernel/errors.ts';
import { sqlState } from '../database-errors.ts';
import type { Database, Executor } from '../database.ts';
import { limitStatements, QUERY_CANCELED } from '../time-limit.ts';
import type { SqlCondition } from './compile.ts';

/** A user's pattern may be slow on purpose; nobody at a form waits longer than this. */
const PATTERN_TIMEOUT_MS = 5_000;
/** Searches with patterns or free text that run at once, of the connections of a process. */
const PLACES = 2;
/** Callers that may wait for a slot. */
const MAX_WAITING = 20;

const INVALID_REGULAR_EXPRESSION = '2201B';

export interface SearchRun {
  readonly database: Database;
  readonly conditions: readonly SqlCondition[];
  /** The query also looks for words of free text. */
  readonly freeText?: boolean;
  /** The query needs a transaction in any case. */
  readonly inTransaction?: boolean;
  readonly patternTimeoutMs?: number;
}

/** Runs `query` with an executor that is safe for the conditions. A bad or slow expression is refused by name. */
export async function runSearch<Result>(
  { database, conditions, freeText = false, inTransaction = false, patternTimeoutMs = PATTERN_TIMEOUT_MS }: SearchRun,
  query: (executor: Executor) => Promise<Result>,
): Promise<Result> {
  const patterns = conditions.filter((condition) => condition.kind === 'matches');
  if (patterns.length === 0 && !freeText) return inTransaction ? database.transaction(query) : query(database.executor);
  const leave = await takePlace(database);
  try {
    return await database.transaction(async (tx) => {
      await limitStatements(tx, patternTimeoutMs);
      return query(tx);
    });
  } catch (error) {
    const names = [...new Set(patterns.map(({ field }) => field.identifier))].join(', ');
    switch (sqlState(error)) {
      case INVALID_REGULAR_EXPRESSION:
        throw rejected(`${names}: the value is not a regular expression that PostgreSQL understands`);
      case QUERY_CANCELED:
        throw rejected(
          patterns.length === 0
            ? `The search took longer than ${patternTimeoutMs / 1000} s; look for a longer word or add a filter.`
            : `${names}: the regular expression took longer than ${patternTimeoutMs / 1000} s; choose a simpler one`,
        );
      default:
        throw error;
    }
  } finally {
    leave();
  }
}

/** A slot for a query that may be slow, shared with searches; the returned function releases it. */
export const takePlace = (database: Database): Promise<() => void> => lineOf(database).enter();

interface Line {
  /** Resolves when there is a slot; the returned function releases it. */
  enter(): Promise<() => void>;
}

/** One queue per pool of connections, since connections are what runs out. */
const lines = new WeakMap<Database, Line>();

function lineOf(database: Database): Line {
  const line = lines.get(database) ?? createLine();
  lines.set(database, line);
  return line;
}

function createLine(): Line {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    async enter() {
      if (taken < PLACES) taken += 1;
      else if (waiting.length >= MAX_WAITING)
        throw new AppError('too_many_requests', {
          what: 'slow searches and counts at once',
          retryAfterS: PATTERN_TIMEOUT_MS / 1000,
        });
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return leave;
    },
  };
}
