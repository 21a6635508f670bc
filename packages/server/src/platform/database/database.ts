// Access to PostgreSQL: one pool, Kysely for composed queries, plain SQL for hot statements. No business words here.
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { HotConnections, HotLane } from './hot-connections.ts';
import type { HotStatement } from './hot-statement.ts';

export type { HotStatement } from './hot-statement.ts';

/** A connection or an open transaction; stores take one and never know which. Table types come from `withTables`. */
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
  readonly onError: (error: Error) => void;
}

/** Statements of hot paths get a name, so that PostgreSQL parses and plans them once per connection. */
const statementNames = new Map<string, string>();

/** Declares a hot statement. The text must be constant: a name stands for exactly one text. */
export function hotStatement(name: string, text: string): HotStatement {
  statementNames.set(text, name);
  return { name, text };
}

/** Where a hot statement runs: as a transaction of its own, or within one. */
export type HotExecutor = HotLane | Executor;

/** Runs a hot statement and returns its rows; `Row` is what the statement's select list says. */
export async function runHot<Row>(
  executor: HotExecutor,
  statement: HotStatement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  if (executor instanceof HotLane) return executor.run<Row>(statement, values);
  const result = await executor.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]));
  return result.rows;
}

/** When batches of hot statements leave that run there. */
export const departureOf = (executor: HotExecutor): HotLane['departure'] | undefined =>
  executor instanceof HotLane ? executor.departure : undefined;

// int8 and count() arrive as text; every such value here is a count or sequence far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Plans made against tables that are still empty would keep sequential scans until the first ANALYZE. */
const SESSION = '-c enable_seqscan=off -c timezone=UTC';
/** Hot statements look rows up by key. A plan made while tables were small would join by reading all of them, ever more. */
const HOT_SESSION = `${SESSION} -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off`;
const HOT_CONNECTIONS = 4;
/** Commits are not waited for: on disk within a second, in order, and visible to everybody at once. */
const RELAXED_SESSION = `${HOT_SESSION} -c synchronous_commit=off`;

/** The shape that connector storage asks of a pool. */
export interface ConnectorConnections {
  readonly departure: HotLane['departure'];
  connect(): Promise<pg.PoolClient>;
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
    readonly name?: string;
  }): Promise<{ readonly rows: unknown[] }>;
}

export class Database {
  readonly executor: Executor;
  /** For hot statements that are transactions of their own. */
  readonly hot: HotLane;
  /**
   * Like `hot`, for writes that may be lost with the machine within the last second: the used nonce of a read, or a step that a
   * later, waited-for commit makes durable (the log is ordered). The end of this process loses none of them.
   */
  readonly relaxed: HotLane;
  private readonly pool: pg.Pool;
  private readonly hotConnections: HotConnections;

  constructor(options: DatabaseOptions) {
    this.pool = openPool(options, { max: options.maxConnections ?? 8, session: SESSION });
    this.executor = executorOver(this.pool);
    this.hotConnections = new HotConnections({
      client: clientConfig(options, HOT_SESSION),
      sessions: { durable: HOT_SESSION, relaxed: RELAXED_SESSION },
      count: HOT_CONNECTIONS,
      onError: options.onError,
    });
    this.hot = new HotLane(this.hotConnections, 'durable');
    this.relaxed = new HotLane(this.hotConnections, 'relaxed');
  }

  /** Runs `work` in one transaction; any error rolls all of it back. No connector call and no signing inside. */
  transaction<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result> {
    return this.executor.transaction().execute(work);
  }

  /**
   * Plain SQL with values, for migrations, checks and statements that are neither composed nor hot. Of several statements in one
   * text the rows of all.
   */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const results = [await this.pool.query(text, [...values])].flat();
    return results.flatMap(({ rows }) => rows as Row[]); // the statement's select list decides the shape
  }

  /** For the storage of built-in connectors, which speak SQL of their own. Named statements are hot ones. */
  get connections(): ConnectorConnections {
    return {
      departure: this.hot.departure,
      connect: () => this.pool.connect(),
      query: async ({ name, text, values = [] }) =>
        name === undefined
          ? this.pool.query({ text, values })
          : { rows: [...(await this.hot.run({ name, text }, values))] },
    };
  }

  /** A connection of its own, e.g. for a session lock; the caller releases it. */
  connect(): Promise<pg.PoolClient> {
    return this.pool.connect();
  }

  async close(): Promise<void> {
    await Promise.all([this.executor.destroy(), this.hotConnections.close()]);
    await this.pool.end();
  }
}

const clientConfig = ({ connection }: DatabaseOptions, session: string): pg.ClientConfig => ({
  ...connection,
  application_name: 'signetry',
  connectionTimeoutMillis: 10_000,
  options: session,
});

function openPool(options: DatabaseOptions, facts: { readonly max: number; readonly session: string }): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(options, facts.session), max: facts.max });
  // A connection may end while somebody uses it. Its query fails then, but the client also raises an event, and an error event
  // that nobody listens to ends the process. The event of the pool is a second one, for idle clients only.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  return pool;
}

const executorOver = (pool: pg.Pool): Executor =>
  new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool: namingPool(pool) }) });

/** Hands Kysely connections that run known hot statements as named, prepared ones. */
function namingPool(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => namingClient(await pool.connect()),
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
