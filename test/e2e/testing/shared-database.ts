// Arguments for nodes of one platform: all nodes share the database and the sealing key, and each has a separate data
// directory.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testDatabaseWithConnection, type TestDatabase } from '@signetry/testkit/database';
import { expect } from 'vitest';
import { temporaryFolder } from './program.ts';

export function createSharedDatabase() {
  const keyFile = join(temporaryFolder(), 'sealing.key');
  let shared: Promise<TestDatabase> | undefined;

  async function create(): Promise<TestDatabase> {
    await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    return testDatabaseWithConnection();
  }

  return {
    async nodeArgs(): Promise<string[]> {
      const { connection } = await (shared ??= create());
      const { host = '', port = 0, user = '', password = '', database = '' } = connection;
      // Nodes can be separate processes.
      const directory = host.replace('/proc/self/', `/proc/${process.pid}/`);
      const address = `${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(directory)}`;
      return [`--database-url=postgres://${address}`, `--sealing-key-file=${keyFile}`];
    },
    /** Available once a node has started. */
    async query<Row extends object>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
      const { database } = await (shared ?? expect.fail('no node has started'));
      return database.query<Row>(text, parameters);
    },
  };
}
