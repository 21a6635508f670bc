// Persistent storage of a connector: its own schema in a PostgreSQL database.

import type { ScheduleFlush } from './batcher.ts';

/**
 * When a write is on disk: before the query resolves, or with the caller's record of the answer, without which nobody
 * needs the write. The second is for storage that is shared with the caller, and without effect elsewhere.
 */
export type WriteDurability = 'atOnce' | 'withAnswer';

export interface QueryOptions {
  /** Names a hot statement: it is parsed and planned once per connection. A name stands for exactly one text. */
  readonly name?: string;
  /** `atOnce` by default. */
  readonly durability?: WriteDurability;
}

export interface ConnectorStorage {
  /** Plain name of the connector's schema. */
  readonly schema: string;
  /** Quoted and qualified name of one of the connector's tables, for use in SQL text. */
  table(name: string): string;
  /** When batches of named statements should be flushed, where the database schedules them; for `createBatcher`. */
  readonly scheduleFlush?: ScheduleFlush | undefined;
  /**
   * Whoever calls the connector keeps its answers in the same database, in commits that come after or together with
   * what was written before the answer. Then an answer need not wait for a write that nobody needs without it.
   */
  readonly isSharedWithCaller?: boolean | undefined;
  /** Runs one statement; `Row` follows from its select list. */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
  /** Runs `work` in one transaction; an error rolls all of it back. A nested transaction is part of the outer one. */
  transaction<Result>(work: (tx: ConnectorStorage) => Promise<Result>): Promise<Result>;
}
