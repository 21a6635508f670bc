// Connector storage on a pool of PostgreSQL connections. The pool is typed structurally, so the SDK needs no database
// driver; `pg.Pool` fits.
import { createHash } from 'node:crypto';
import type { ScheduleFlush } from './batcher.ts';
import { quoteIdentifier } from './migrate.ts';
import type { ConnectorStorage, QueryOptions, WriteDurability } from './storage.ts';

interface PostgresStatement {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
  readonly durability?: WriteDurability;
}

interface PostgresQueryable {
  query(statement: PostgresStatement): Promise<{ readonly rows: unknown[] }>;
}

export interface PostgresConnection extends PostgresQueryable {
  release(error?: Error | boolean): void;
}

export interface PostgresPool extends PostgresQueryable {
  readonly scheduleFlush?: ScheduleFlush;
  connect(): Promise<PostgresConnection>;
}

export interface PostgresStorageOptions extends Pick<ConnectorStorage, 'isSharedWithCaller'> {
  readonly schema: string;
}

export function createPostgresStorage(pool: PostgresPool, options: PostgresStorageOptions): ConnectorStorage {
  const { schema, isSharedWithCaller } = options;
  // A connection plans one statement per name, and connectors that share it use the same names. PostgreSQL truncates
  // names to 63 bytes, so the schema name itself would be too long.
  const mark = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  const table = (name: string): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;

  const createQueryable = (target: PostgresQueryable): Pick<ConnectorStorage, 'schema' | 'table' | 'query'> => ({
    schema,
    table,
    query: async <Row>(
      text: string,
      values?: readonly unknown[],
      { name, durability = 'atOnce' }: QueryOptions = {},
    ) => {
      const statement = {
        text,
        ...(values ? { values: [...values] } : {}),
        ...(name ? { name: `${mark} ${name}` } : {}),
        ...(durability === 'withAnswer' && isSharedWithCaller ? { durability } : {}),
      };
      const { rows } = await target.query(statement);
      return rows as Row[]; // The statement's select list determines the shape.
    },
  });

  function createTransaction(connection: PostgresConnection): ConnectorStorage {
    const tx: ConnectorStorage = { ...createQueryable(connection), transaction: (work) => work(tx) };
    return tx;
  }

  return {
    ...createQueryable(pool),
    scheduleFlush: pool.scheduleFlush,
    isSharedWithCaller,
    async transaction(work) {
      const connection = await pool.connect();
      let broken: Error | undefined;
      try {
        await connection.query({ text: 'BEGIN' });
        const result = await work(createTransaction(connection));
        await connection.query({ text: 'COMMIT' });
        return result;
      } catch (error) {
        // A connection that cannot roll back is broken; the pool discards it.
        await connection.query({ text: 'ROLLBACK' }).catch((cause: unknown) => {
          broken = cause instanceof Error ? cause : new Error(String(cause));
        });
        throw error;
      } finally {
        connection.release(broken);
      }
    },
  };
}
