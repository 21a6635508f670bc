// One embedded PostgreSQL for a whole test run, with a migrated template database that test files clone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, migrate, openApplicationDatabase, startEmbeddedPostgres } from '@signetry/server/database';

export const TEMPLATE_DATABASE = 'signetry_template';

/** How test processes reach the cluster. */
export interface ClusterFacts {
  readonly runDirectory: string;
  readonly port: number;
  /** The role that the platform works as: no superuser. */
  readonly user: string;
  readonly password: string;
  /** Creates and drops databases. */
  readonly superuser: { readonly user: string; readonly password: string };
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
  const connection = await openApplicationDatabase(server, TEMPLATE_DATABASE);
  const template = new Database({ connection, onError: () => undefined }); // connections end with the cluster
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
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
