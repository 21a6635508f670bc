// One embedded PostgreSQL server for a whole test run, with a migrated template database that test files clone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, migrate, openApplicationDatabase, startEmbeddedPostgres } from '@signetry/server/database';
import { startInstalledPostgres } from './installed-postgres.ts';

export const TEMPLATE_DATABASE = 'signetry_template';

/** Facts with which test processes reach the cluster. */
export interface ClusterFacts {
  readonly runDirectory: string;
  readonly port: number;
  /** Role that the platform connects as: not a superuser. */
  readonly user: string;
  readonly password: string;
  /** Creates and drops databases. */
  readonly superuser: { readonly user: string; readonly password: string };
}

export interface TestCluster {
  readonly facts: ClusterFacts;
  stop(): Promise<void>;
}

/** A test database does not have to survive a power failure. */
const WITHOUT_FLUSHES = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Names a major version installed on this machine, which the tests then use instead of the embedded server. */
const VERSION_VARIABLE = 'TEST_POSTGRES';

export async function startTestCluster(): Promise<TestCluster> {
  const version = process.env[VERSION_VARIABLE];
  const server = version === undefined ? await startEmbedded() : await startInstalled(Number(version));
  const connection = await openApplicationDatabase(server, TEMPLATE_DATABASE);
  const template = new Database({ connection, onError: () => undefined }); // connections break when the cluster stops
  await migrate(template);
  await template.close();
  return {
    facts: {
      runDirectory: server.runDirectory,
      port: server.port,
      user: connection.user,
      password: connection.password,
      superuser: { user: server.user, password: server.password },
    },
    stop: () => server.stop(),
  };
}

async function startEmbedded() {
  const directory = await mkdtemp(join(tmpdir(), 'signetry-test-'));
  const server = await startEmbeddedPostgres({ directory, log: () => undefined, settings: WITHOUT_FLUSHES });
  const { socketDirectory, runDirectory, port, user, password, database } = server;
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { socketDirectory, runDirectory, port, user, password, database, stop };
}

async function startInstalled(version: number) {
  const { superuser, stop } = await startInstalledPostgres(version, WITHOUT_FLUSHES);
  const { host = '', port = 0, user = '', database = '' } = superuser;
  return { socketDirectory: host, runDirectory: host, port, user, password: '', database, stop };
}
