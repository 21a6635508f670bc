// A connector's persistent storage: its own schema in a PostgreSQL database.

import type { ScheduleFlush } from './batcher.ts';

/**
 * When a write reaches the disk: before the query resolves, or together with the caller's record of the response,
 * without which the write is useless. The latter applies only to storage shared with the caller.
 */
export type WriteDurability = 'atOnce' | 'withAnswer';

export interface QueryOptions {
  /**
   * Name of a hot statement, which is parsed and planned once per connection. Each name must stand for exactly one
   * statement text.
   */
  readonly name?: string;
  /** Default: `atOnce`. */
  readonly durability?: WriteDurability;
}

export interface ConnectorStorage {
  /** Unquoted name of the connector's schema. */
  readonly schema: string;
  /** Returns the quoted and qualified name of one of the connector's tables, for use in SQL. */
  table(name: string): string;
  /** Schedules batch flushes for named statements, if the database does so; for use with `createBatcher`. */
  readonly scheduleFlush?: ScheduleFlush | undefined;
  /**
   * Whether the caller stores responses in the same database, in commits that include or follow the writes made before
   * the response. If so, a response need not wait for a write that is useless without it.
   */
  readonly isSharedWithCaller?: boolean | undefined;
  /** Runs one statement; its select list determines `Row`. */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
  /** Runs `work` in one transaction; an error rolls back all of it. A nested transaction is part of the outer one. */
  transaction<Result>(work: (tx: ConnectorStorage) => Promise<Result>): Promise<Result>;
}
