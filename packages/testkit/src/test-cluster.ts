// One embedded PostgreSQL for a whole test run, with a migrated template database that test files clone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, migrate, startEmbeddedPostgres } from '@signetry/server';

export const TEMPLATE_DATABASE = 'signetry_template';

/** How test processes reach the cluster. */
export interface ClusterFacts {
  readonly runDirectory: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface TestCluster {
  readonly facts: ClusterFacts;
  stop(): Promise<void>;
}

/** Starts the cluster without flushes: a test database does not have to survive a power failure. */
export async function startTestCluster(): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'signetry-test-'));
  const server = await startEmbeddedPostgres({
    directory,
    log: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const connection = { host: server.socketDirectory, port: server.port, user: server.user, password: server.password };
  const onError = () => undefined; // connections end with the cluster
  const maintenance = new Database({ connection: { ...connection, database: server.database }, onError });
  await maintenance.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await maintenance.close();
  const template = new Database({ connection: { ...connection, database: TEMPLATE_DATABASE }, onError });
  await migrate(template);
  await template.close();
  return {
    facts: { runDirectory: server.runDirectory, port: server.port, user: server.user, password: server.password },
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
