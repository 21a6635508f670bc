// HTTP responses while the platform starts and a migration takes long.
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { startDatabaseProxy } from '@signetry/testkit/database-proxy';
import { externalDatabaseArguments } from '@signetry/testkit/external-database';
import { startTestServer } from '@signetry/testkit/platform';
import { workerPort } from '@signetry/testkit/worker-port';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ADVISORY_LOCKS } from '../../packages/server/src/platform/database/advisory-locks.ts';

it('the server is live but not ready until startup is complete, and reports the reason', async () => {
  const { database, connection } = await testDatabaseWithConnection();
  const proxy = await startDatabaseProxy(connection);
  onTestFinished(() => proxy.close());
  // Simulates another node that is migrating.
  const other = await database.connect();
  await other.query('BEGIN');
  await other.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`);

  const httpPort = await workerPort();
  const starting = startTestServer({
    args: [...externalDatabaseArguments(proxy.connection), `--http=127.0.0.1:${httpPort}`],
  });
  const at = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${httpPort}${path}`);

  await vi.waitFor(async () => expect((await at('/health/live')).status).toBe(200), { timeout: 30_000, interval: 20 });
  const ready = await at('/health/ready');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: 'DOWN', message: expect.stringContaining('starting') as string });
  expect((await at('/api/v1/certificates')).headers.get('retry-after')).toBe('5');

  await other.query('ROLLBACK');
  other.release();
  await starting;
  expect((await at('/health/ready')).status).toBe(200);
});
