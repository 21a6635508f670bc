// Keeps a connector's schema up to date. Each migration runs once, in order, in one transaction with its record, so
// that a crash leaves either both or neither. Nodes that start simultaneously wait for each other.
import type { Connector } from '../connector.ts';
import type { ConnectorStorage } from './storage.ts';

/** Runs pending migrations and returns their names. */
export async function migrateConnector(
  storage: ConnectorStorage,
  connector: Pick<Connector, 'name' | 'migrations'>,
): Promise<readonly string[]> {
  rejectDuplicates(connector);
  // A connector without tables needs no database.
  if (connector.migrations.length === 0) return [];
  const schema = quoteIdentifier(storage.schema);
  const record = storage.table('connector_migration');
  await withMigrationLock(storage, async (tx) => {
    await tx.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await tx.query(
      `CREATE TABLE IF NOT EXISTS ${record} (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
  });
  const ran: string[] = [];
  for (const step of connector.migrations) {
    await withMigrationLock(storage, async (tx) => {
      const known = await tx.query(`SELECT 1 FROM ${record} WHERE name = $1`, [step.name]);
      if (known.length > 0) return;
      await tx.query(step.sql(schema));
      await tx.query(`INSERT INTO ${record} (name) VALUES ($1)`, [step.name]);
      ran.push(step.name);
    });
  }
  return ran;
}

/** Allows one migrator at a time per schema; the lock is released when the transaction ends. */
const withMigrationLock = (storage: ConnectorStorage, work: (tx: ConnectorStorage) => Promise<void>): Promise<void> =>
  storage.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`connector:${storage.schema}`]);
    await work(tx);
  });

function rejectDuplicates({ name, migrations }: Pick<Connector, 'name' | 'migrations'>): void {
  const names = migrations.map((step) => step.name);
  const double = names.find((step, index) => names.indexOf(step) !== index);
  if (double !== undefined) throw new Error(`The connector ${name} has two migrations named "${double}".`);
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns the schema name for a connector's tables. */
export const schemaNameOf = (connector: Pick<Connector, 'name'>): string =>
  `connector_${connector.name.replaceAll(/[^a-z0-9]+/g, '_')}`;
