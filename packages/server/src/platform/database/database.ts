// Access to PostgreSQL: one pool, Kysely for composed queries, plain SQL for hot statements. Contains no domain terms.
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

/** Connection or open transaction; stores do not need to know which. `withTables` adds the table types. */
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
  /** Maximum number of connections of this process. Four keep one core busy; more help only with slow queries. */
  readonly maxConnections?: number;
  /** Whether a pooler assigns each transaction a different session, so that no setting applies to a whole session. */
  readonly sharesSessions?: boolean;
  readonly onError: (error: Error) => void;
  /** Called for every statement that the database could not execute. */
  readonly onOutage?: (outage: DatabaseUnavailable) => void;
}

/** Hot statements have a name, so that PostgreSQL parses and plans them once per connection. */
const statementNames = new Map<string, string>();

/** Declares a hot statement. The text must be constant: each name identifies exactly one text. */
export function hotStatement(name: string, text: string): HotStatement {
  statementNames.set(text, name);
  return { name, text };
}

/** Returns the hot statements that all loaded modules have declared. */
export const declaredHotStatements = (): readonly HotStatement[] =>
  [...statementNames].map(([text, name]) => ({ name, text }));

/** Where a hot statement runs: in its own transaction or within an existing one. */
export type HotExecutor = HotRunner | Executor;

/** Runs a hot statement and returns its rows; `Row` must match the statement's select list. */
export async function runHot<Row>(
  executor: HotExecutor,
  statement: HotStatement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  if (executor instanceof HotRunner) return executor.run<Row>(statement, values);
  const result = await executor.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]));
  return result.rows;
}

/** Returns the flush scheduler for batches of hot statements on this executor. */
export const scheduleFlushOf = (executor: HotExecutor): HotRunner['scheduleFlush'] | undefined =>
  executor instanceof HotRunner ? executor.scheduleFlush : undefined;

// int8 and count() are returned as text; every such value here is a count or sequence number far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const HOT_CONNECTIONS = 4;
/** Timeout for opening a connection or waiting for one from the pool. */
const POOL_CONNECT_MS = 5_000;
const HOT_CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
const APART_MS = 2_000;
/** Interface that connector storage requires a pool to implement. */
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
  /** Runs hot statements in their own transaction. */
  readonly hot: HotRunner;
  /**
   * Like `hot`, except that a machine failure may lose writes from the last second. Suitable for a nonce that a read
   * has used, or a step that a later, awaited commit makes durable (the log is ordered). No writes are lost if only
   * this process ends.
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

  /** Makes hot statements wait briefly for other clients' statements whenever many clients are active. */
  gatherWhen(isCrowded: () => boolean): void {
    this.hotConnections.gatherWhen(isCrowded);
  }

  /** Runs `work` in one transaction, which any error rolls back completely. `work` must not call connectors or sign. */
  transaction<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result> {
    return this.executor.transaction().execute(work);
  }

  /** Runs reads on a consistent snapshot: none of them sees commits made after the first read. */
  snapshot<Result>(reads: (tx: Executor) => Promise<Result>): Promise<Result> {
    return this.executor.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(reads);
  }

  /**
   * Runs plain SQL with values, for migrations, checks and statements that are neither composed nor hot. If the text
   * contains multiple statements, returns the rows of all of them.
   */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const results = [await this.queryOnce({ text, values: [...values] })].flat();
    return results.flatMap(({ rows }) => rows as Row[]); // The statement's select list determines the type.
  }

  /**
   * Connections for the storage of built-in connectors, which use their own SQL. Named statements are hot statements.
   */
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
   * Returns a dedicated connection, e.g. for a session lock, which the caller must release. The time limit for the
   * caller's work applies to its statements.
   */
  async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.pool.connect();
      try {
        await this.limit(client);
        return translateErrors(client, (error) => this.translate(error));
      } catch (error) {
        client.release(true);
        throw error;
      }
    } catch (error) {
      throw this.translate(error, 'connecting');
    }
  }

  /**
   * Runs a statement over a new connection, with a short time limit for the whole operation, since existing
   * connections, and those being opened, may use a path that is now dead.
   */
  async runApart(statement: HotStatement, values: readonly unknown[]): Promise<void> {
    const client = new pg.Client({ ...this.apart, connectionTimeoutMillis: APART_MS });
    client.on('error', () => undefined); // The query also fails, so the error is handled there.
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

  /** Returns whether the database has responded over a new connection within the last `withinMs` milliseconds. */
  answeredApart(withinMs: number): boolean {
    return performance.now() - this.answeredApartMs < withinMs;
  }

  /** Can be called more than once. */
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
    // If sessions are shared, one client's limit would apply to others, so the connection watch enforces it instead.
    if (!this.sharesSessions) await client.query(`SET statement_timeout = ${limitMs}`);
    this.watch.setLimit(client, limitMs);
  }

  private translate(cause: unknown, phase: 'connecting' | 'working' = 'working'): unknown {
    const error = translateDatabaseError(cause, phase);
    if (error instanceof DatabaseUnavailable) this.onOutage(error);
    return error;
  }
}

/** Returns the client with translated errors. */
function translateErrors(client: pg.PoolClient, translate: (error: unknown) => unknown): pg.PoolClient {
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
      await watch.add(client as pg.Client, REQUEST_LIMIT_MS); // The pool creates clients of this class.
      if (options.sharesSessions) await setSession(client);
    },
  });
  // A connection may end while it is in use. Its query then fails, but the client also raises an error event, and an
  // unhandled error event ends the process. The pool's own event covers only idle clients.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  return pool;
}

const executorOver = (pool: pg.Pool, connect: () => Promise<pg.PoolClient>): Executor =>
  new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool: namingPool(pool, connect) }) });

/** Provides Kysely with connections that run known hot statements as named prepared statements. */
function namingPool(pool: pg.Pool, connect: () => Promise<pg.PoolClient>): PostgresPool {
  return {
    connect: async () => namingClient(await connect()),
    // Kysely closes a pool only if it has used it; `Database.close` always closes it.
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
  } as unknown as PostgresPoolClient; // Kysely's type also includes cursors, which are not used here.
}
