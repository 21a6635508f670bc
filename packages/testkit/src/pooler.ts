// PgBouncer in front of a database: each transaction can get a different server session. Tests that need it are skipped
// with a note if it is not installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionFacts } from '@signetry/server/database';
import { startDatabaseProxy } from './database-proxy.ts';
import { workerPort } from './worker-port.ts';

export const HAS_POOLER: boolean = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
/** Appended to the names of test groups to explain why they are skipped. */
export const POOLER_NOTE: string = HAS_POOLER ? '' : ' (skipped: no pgbouncer on PATH)';

/** PgBouncer does not run as root. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };
const START_MS = 15_000;

export interface Pooler {
  /** The same database, through the pooler. */
  readonly connection: ConnectionFacts;
  close(): Promise<void>;
}

export interface PoolerOptions {
  /** Startup parameters that it ignores; it rejects all others that it does not know. */
  readonly ignoredParameters?: string;
}

/** Starts a pooler. `target` is reached over a Unix socket, like all test databases. */
export async function startPooler(target: ConnectionFacts, options: PoolerOptions = {}): Promise<Pooler> {
  const proxy = await startDatabaseProxy(target);
  const folder = mkdtempSync(join(tmpdir(), 'signetry-pooler-'));
  chmodSync(folder, 0o755);
  const port = await workerPort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${proxy.connection.port} user=${target.user} password=${target.password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `ignore_startup_parameters = ${options.ignoredParameters ?? ''}`,
    ].join('\n'),
  );
  const user = process.geteuid?.() === 0 ? UNPRIVILEGED : {};
  const pooler = spawn('pgbouncer', ['-q', file], { ...user, cwd: '/', stdio: 'ignore' });
  await waitUntilListening(port);
  return {
    connection: { ...target, host: '127.0.0.1', port },
    async close() {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGTERM');
      await ended;
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(port: number): Promise<void> {
  for (const began = performance.now(); performance.now() - began < START_MS; await delay(20)) {
    const socket = createConnection({ host: '127.0.0.1', port });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error('pgbouncer did not start listening');
}
