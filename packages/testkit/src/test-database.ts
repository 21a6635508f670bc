// A separate migrated database for each test file, cloned from the template in about 40 ms.
import { randomBytes } from 'node:crypto';
import { Database, openSocketDirectory, type ConnectionFacts } from '@signetry/server/database';
import { inject } from 'vitest';
import { onFileFinished } from './file-end.ts';
import { TEMPLATE_DATABASE, type ClusterFacts } from './test-cluster.ts';

export interface TestDatabase {
  readonly database: Database;
  /** For tests that start a platform over the same database. */
  readonly connection: ConnectionFacts;
}

/** Clones the template; the database is closed and dropped when the test file ends. */
export async function testDatabase(): Promise<Database> {
  const { database } = await cloneTemplate(inject('cluster'));
  return database;
}

/** Like `testDatabase`, with the connection facts for further connections. */
export const testDatabaseWithConnection = (): Promise<TestDatabase> => cloneTemplate(inject('cluster'));

async function cloneTemplate(cluster: ClusterFacts): Promise<TestDatabase> {
  const socket = openSocketDirectory(cluster.runDirectory);
  const base = { host: socket.path, port: cluster.port, user: cluster.user, password: cluster.password };
  const name = `test_${randomBytes(8).toString('hex')}`;
  const superuser = { ...base, ...cluster.superuser };
  await inMaintenance(superuser, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} OWNER ${cluster.user}`);
  const connection = { ...base, database: name };
  const database = new Database({ connection, onError: () => undefined });
  onFileFinished(async () => {
    await database.close();
    await inMaintenance(superuser, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    socket.close();
  });
  return { database, connection };
}

async function inMaintenance(base: ConnectionFacts, statement: string): Promise<void> {
  const maintenance = new Database({
    connection: { ...base, database: 'postgres' },
    maxConnections: 1,
    onError: () => undefined,
  });
  try {
    await maintenance.query(statement);
  } finally {
    await maintenance.close();
  }
}
