// Access to PostgreSQL: one pool, Kysely for composed queries, plain SQL for hot statements. No domain terms here.
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { ConnectionWatch } from './connection-watch.ts';
import { DatabaseUnavailable, translateDatabaseError } from './database-errors.ts';
import { HotConnections, HotRunner } from './hot-connections.ts';
import type { HotStatement } from './hot-statement.ts';
import { socketOf } from './pg-internals.ts';
import { currentLimitMs, REQUEST_LIMIT_MS } from './query-limits.ts';
import { HOT, RELAXED, SESSION, sessionOptions, setSession, type SessionSettings } from './session-settings.ts';

export type { HotStatement } from './hot-statement.ts';

/** A connection or an open transaction; stores need not know which. Table types come from `withTables`. */
export type Executor = Kysely<Record<never, never>>;

export interface ConnectionFacts {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

export interface DatabaseOptions {
  readonly connection: ConnectionFacts;
  /** Connections of this process; four keep one core busy, more help only with slow queries. */
  readonly maxConnections?: number;
  /** There is a pooler that gives each transaction another session, so nothing is set for a whole session. */
  readonly sharesSessions?: boolean;
  readonly onError: (error: Error) => void;
  /** Told of every statement that the database could not carry out. */
  readonly onOutage?: (outage: DatabaseUnavailable) => void;
}

/** Statements of hot paths get a name, so that PostgreSQL parses and plans them once per connection. */
const statementNames = new Map<string, string>();

/** Declares a hot statement. The text must be constant: a name stands for exactly one text. */
export function hotStatement(name: string, text: string): HotStatement {
  statementNames.set(text, name);
  return { name, text };
}

/** Those of all modules that are loaded. */
export const declaredHotStatements = (): readonly HotStatement[] =>
  [...statementNames].map(([text, name]) => ({ name, text }));

/** Where a hot statement runs: as a transaction of its own, or within one. */
export type HotExecutor = HotRunner | Executor;

/** Runs a hot statement and returns its rows; `Row` is what the statement's select list says. */
export async function runHot<Row>(
  executor: HotExecutor,
  statement: HotStatement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  if (executor instanceof HotRunner) return executor.run<Row>(statement, values);
  const result = await executor.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]));
  return result.rows;
}

/** When batches of hot statements that run there are flushed. */
export const scheduleFlushOf = (executor: HotExecutor): HotRunner['scheduleFlush'] | undefined =>
  executor instanceof HotRunner ? executor.scheduleFlush : undefined;

// int8 and count() arrive as text; every such value here is a count or sequence far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const HOT_CONNECTIONS = 4;
/** To make a connection, or to wait for one of the pool. */
const POOL_CONNECT_MS = 5_000;
const HOT_CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
const APART_MS = 2_000;
/** The shape that connector storage asks of a pool. */
export interface ConnectorConnections {
  readonly scheduleFlush: HotRunner['scheduleFlush'];
  connect(): Promise<pg.PoolClient>;
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
    readonly name?: string;
    readonly durability?: 'atOnce' | 'withAnswer';
  }): Promise<{ readonly rows: unknown[] }>;
}

export class Database {
  readonly executor: Executor;
  /** For hot statements that are transactions of their own. */
  readonly hot: HotRunner;
  /**
   * Like `hot`, for writes that may be lost with the machine within the last second: the used nonce of a read, or a
   * step that a later, waited-for commit makes durable (the log is ordered). The end of this process loses none of
   * them.
   */
  readonly relaxed: HotRunner;
  private readonly pool: pg.Pool;
  private readonly watch: ConnectionWatch;
  private readonly hotConnections: HotConnections;
  private readonly onOutage: (outage: DatabaseUnavailable) => void;
  private readonly sharesSessions: boolean;
  private readonly apart: pg.ClientConfig;
  private answeredApartMs = -Infinity;
  private closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    const { sharesSessions = false } = options;
    this.sharesSessions = sharesSessions;
    this.onOutage = options.onOutage ?? (() => undefined);
    this.apart = clientConfig(options, SESSION);
    this.watch = new ConnectionWatch(this.apart, { knowsBackends: !sharesSessions });
    this.pool = openPool(options, this.watch);
    this.executor = executorOver(this.pool, () => this.connect());
    this.hotConnections = new HotConnections({
      client: { ...clientConfig(options, SESSION), connectionTimeoutMillis: HOT_CONNECT_MS },
      sessions: { durable: HOT, relaxed: RELAXED },
      setInTransactions: sharesSessions,
      count: HOT_CONNECTIONS,
      watch: this.watch,
      onError: options.onError,
      onOutage: this.onOutage,
    });
    this.hot = new HotRunner(this.hotConnections, 'durable');
    this.relaxed = new HotRunner(this.hotConnections, 'relaxed');
  }

  /** From now on, hot statements wait a moment for those of other clients while there is a crowd of them. */
  gatherWhen(isCrowded: () => boolean): void {
    this.hotConnections.gatherWhen(isCrowded);
  }

  /** Runs `work` in one transaction; any error rolls all of it back. No connector call and no signing inside. */
  transaction<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result> {
    return this.executor.transaction().execute(work);
  }

  /** Runs reads that must agree with one another: none of them sees what is committed after the first. */
  snapshot<Result>(reads: (tx: Executor) => Promise<Result>): Promise<Result> {
    return this.executor.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(reads);
  }

  /**
   * Plain SQL with values, for migrations, checks and statements that are neither composed nor hot. Of several
   * statements in one text the rows of all.
   */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const results = [await this.queryOnce({ text, values: [...values] })].flat();
    return results.flatMap(({ rows }) => rows as Row[]); // the statement's select list decides the shape
  }

  /** For the storage of built-in connectors, which speak SQL of their own. Named statements are hot ones. */
  get connections(): ConnectorConnections {
    return {
      scheduleFlush: this.hot.scheduleFlush,
      connect: () => this.connect(),
      query: async ({ name, text, values = [], durability }) =>
        name === undefined
          ? this.queryOnce({ text, values })
          : { rows: [...(await (durability === 'withAnswer' ? this.relaxed : this.hot).run({ name, text }, values))] },
    };
  }

  /**
   * A connection of its own, e.g. for a session lock; the caller releases it. Its statements have the limit of the
   * caller's work.
   */
  async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.pool.connect();
      try {
        await this.limit(client);
        return guarded(client, (error) => this.translate(error));
      } catch (error) {
        client.release(true);
        throw error;
      }
    } catch (error) {
      throw this.translate(error, 'connecting');
    }
  }

  /**
   * Runs a statement over a new connection, with a short limit for all of it: the connections that are there, or are
   * being made, may belong to a path that is dead by now.
   */
  async runApart(statement: HotStatement, values: readonly unknown[]): Promise<void> {
    const client = new pg.Client({ ...this.apart, connectionTimeoutMillis: APART_MS });
    client.on('error', () => undefined); // the query fails as well
    const late = setTimeout(() => socketOf(client).destroy(new Error('timeout expired')), APART_MS);
    try {
      await client.connect();
      await client.query(statement.text, [...values]);
      this.answeredApartMs = performance.now();
    } catch (error) {
      throw this.translate(error, 'connecting');
    } finally {
      clearTimeout(late);
      socketOf(client).destroy();
    }
  }

  /** Did the database answer over a new connection within this time? */
  answeredApart(withinMs: number): boolean {
    return performance.now() - this.answeredApartMs < withinMs;
  }

  /** May be called more than once. */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    await Promise.all([this.executor.destroy(), this.hotConnections.close(), this.pool.end()]);
    this.watch.close();
  }

  private async queryOnce(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await this.connect();
    try {
      return await client.query(query);
    } finally {
      client.release();
    }
  }

  private async limit(client: pg.PoolClient): Promise<void> {
    const limitMs = currentLimitMs();
    if (this.watch.limitOf(client) === limitMs) return;
    // Where sessions are shared, the limit of one would be that of others; the watch keeps it.
    if (!this.sharesSessions) await client.query(`SET statement_timeout = ${limitMs}`);
    this.watch.setLimit(client, limitMs);
  }

  private translate(cause: unknown, phase: 'connecting' | 'working' = 'working'): unknown {
    const error = translateDatabaseError(cause, phase);
    if (error instanceof DatabaseUnavailable) this.onOutage(error);
    return error;
  }
}

/** The client, with errors translated. */
function guarded(client: pg.PoolClient, translate: (error: unknown) => unknown): pg.PoolClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query')
        return async (...args: Parameters<pg.PoolClient['query']>) => {
          try {
            return await target.query(...args);
          } catch (error) {
            throw translate(error);
          }
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const clientConfig = (
  { connection, sharesSessions = false }: DatabaseOptions,
  ...settings: readonly SessionSettings[]
): pg.ClientConfig => ({
  ...connection,
  application_name: 'signetry',
  connectionTimeoutMillis: POOL_CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  ...(sharesSessions ? {} : { options: sessionOptions(...settings) }),
});

function openPool(options: DatabaseOptions, watch: ConnectionWatch): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(options, SESSION, { statement_timeout: String(REQUEST_LIMIT_MS) }),
    max: options.maxConnections ?? 8,
    onConnect: async (client) => {
      await watch.add(client as pg.Client, REQUEST_LIMIT_MS); // the pool makes clients of this class
      if (options.sharesSessions) await setSession(client);
    },
  });
  // A connection may end while somebody uses it. Its query fails then, but the client also raises an event, and an
  // error event that nobody listens to ends the process. The event of the pool is a second one, for idle clients only.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  return pool;
}

const executorOver = (pool: pg.Pool, connect: () => Promise<pg.PoolClient>): Executor =>
  new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool: namingPool(pool, connect) }) });

/** Hands Kysely connections that run known hot statements as named, prepared ones. */
function namingPool(pool: pg.Pool, connect: () => Promise<pg.PoolClient>): PostgresPool {
  return {
    connect: async () => namingClient(await connect()),
    // Kysely ends a pool only when it has used it; `Database.close` ends it always.
    end: () => Promise.resolve(),
    options: pool.options,
  };
}

function namingClient(client: pg.PoolClient): PostgresPoolClient {
  return {
    query: (text: unknown, values?: readonly unknown[]) => {
      const name = typeof text === 'string' ? statementNames.get(text) : undefined;
      return name
        ? client.query({ name, text: text as string, values: [...(values ?? [])] })
        : client.query(text as string, values as unknown[]);
    },
    release: () => client.release(),
  } as unknown as PostgresPoolClient; // Kysely also names a cursor form, which is not used here
}
