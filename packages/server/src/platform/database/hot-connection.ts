// A connection for hot statements, which is opened when needed and prepares its statements. Its transactions run
// sequentially.
import pg from 'pg';
import type { ConnectionWatch } from './connection-watch.ts';
import { translateDatabaseError } from './database-errors.ts';
import type { HotStatement } from './hot-statement.ts';
import { prepareValue } from './pg-internals.ts';
import { PipelinedTransaction, Preparation, type Columns, type PreparedCall } from './pipeline.ts';
import { HOT_LIMIT_MS } from './query-limits.ts';
import type { SessionSettings } from './session-settings.ts';

/** Hot statement with its encoded values. */
export interface HotCall {
  readonly statement: HotStatement;
  readonly values: readonly unknown[];
}

type Results = readonly (readonly unknown[])[];

export interface HotConnectionHooks {
  readonly watch: ConnectionWatch;
  readonly onError: (error: Error) => void;
  /** Settings applied at the start of each transaction and limited to it. */
  readonly preamble: SessionSettings | undefined;
}

/** The argument `true` limits the settings to the transaction. */
const SET_LOCAL: HotStatement = {
  name: 'set_transaction_settings',
  text: 'SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS setting (name, value)',
};

/** Returns whether a migration on a different node changed the columns of a prepared statement. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';

export class HotConnection {
  /** Number of running and waiting transactions. */
  pending = 0;
  private readonly config: pg.ClientConfig;
  private readonly hooks: HotConnectionHooks;
  private readonly preamble: HotCall | undefined;
  private client: pg.Client | undefined;
  private readonly prepared = new Map<string, Columns>();
  private last: Promise<unknown> = Promise.resolve();
  private failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(config: pg.ClientConfig, hooks: HotConnectionHooks) {
    this.config = config;
    this.hooks = hooks;
    this.preamble = hooks.preamble && {
      statement: SET_LOCAL,
      values: [Object.keys(hooks.preamble), Object.values(hooks.preamble)].map((list) => prepareValue(list)),
    };
  }

  /** Runs the calls as one transaction, after all earlier ones, and returns the rows of each call. */
  async transaction(calls: readonly HotCall[]): Promise<Results> {
    this.pending += 1;
    const began = performance.now();
    const results = this.pending === 1 ? this.run(calls) : this.last.then(() => this.runLater(calls, began));
    this.last = results.catch(() => undefined);
    try {
      return await results;
    } finally {
      this.pending -= 1;
    }
  }

  async close(): Promise<void> {
    await this.last;
    await this.client?.end();
  }

  /**
   * Runs a transaction that has waited. If a connection failed to open while it waited, it fails with the same error;
   * otherwise each transaction would wait for its own attempt.
   */
  private runLater(calls: readonly HotCall[], began: number): Promise<Results> {
    if (this.failure && this.failure.at > began) throw this.failure.error;
    return this.run(calls);
  }

  private async run(calls: readonly HotCall[]): Promise<Results> {
    if (!this.preamble) return this.runAll(calls);
    const [, ...results] = await this.runAll([this.preamble, ...calls]);
    return results;
  }

  private async runAll(calls: readonly HotCall[]): Promise<Results> {
    const client = this.client ?? (await this.connect());
    const prepared: PreparedCall[] = [];
    for (const { statement, values } of calls) {
      const columns = this.prepared.get(statement.name) ?? (await this.prepare(client, statement));
      prepared.push({ name: statement.name, columns, values });
    }
    try {
      return await client.query(new PipelinedTransaction(prepared)).result;
    } catch (error) {
      if (isOutdated(error)) this.prepared.clear();
      throw error;
    }
  }

  private async prepare(client: pg.Client, statement: HotStatement): Promise<Columns> {
    const columns = await client.query(new Preparation(statement)).result;
    this.prepared.set(statement.name, columns);
    return columns;
  }

  /**
   * Opens a connection. If the connection breaks, running transactions fail, and the next transaction opens a new one.
   */
  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.config);
    const forget = (): void => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', (error: Error) => {
      forget();
      this.hooks.onError(error);
    });
    client.on('end', forget);
    try {
      await client.connect();
      await this.hooks.watch.add(client, HOT_LIMIT_MS);
    } catch (cause) {
      const error = translateDatabaseError(cause, 'connecting');
      this.failure = { at: performance.now(), error };
      throw error;
    }
    this.client = client;
    this.prepared.clear();
    return client;
  }
}
