// Nodes that share one database are restarted one after the other without clients noticing. A start that cannot listen
// creates nothing.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { startDatabaseProxy } from '@signetry/testkit/database-proxy';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { expect, it, onTestFinished, vi } from 'vitest';

const WAIT = { timeout: 30_000, interval: 20 };
const READINESS_POLL_MS = 50;
const CLIENTS = 8;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-restart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the status of a response; rejects if there is none. */
function status(url: string, agent: Agent, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

/** Sends requests over keep-alive connections to nodes that report ready, like a load balancer. */
function balance() {
  const agent = new Agent({ keepAlive: true });
  const nodes = new Map<TestServer, boolean>();
  const failures: unknown[] = [];
  let requests = 0;
  const ending = new AbortController();

  async function poll(node: TestServer): Promise<void> {
    while (!ending.signal.aborted && nodes.has(node)) {
      const ready = await status(`${node.ready.http}/health/ready`, agent).catch(() => 0);
      if (nodes.has(node)) nodes.set(node, ready === 200);
      await delay(READINESS_POLL_MS);
    }
  }

  async function client(index: number): Promise<void> {
    for (let turn = index; !ending.signal.aborted; turn += 1) {
      const ready = [...nodes].flatMap(([node, isReady]) => (isReady ? [node] : []));
      const node = ready[turn % ready.length];
      if (!node) {
        await delay(1);
        continue;
      }
      requests += 1;
      const authorization = `Bearer ${node.ready.token}`;
      const answered = await status(`${node.ready.api}/v1/raProfiles`, agent, { authorization }).catch(
        (error: unknown) => error,
      );
      if (answered !== 200) failures.push(answered);
      await delay(1);
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index));
  return {
    add(node: TestServer) {
      nodes.set(node, false);
      void poll(node);
    },
    remove: (node: TestServer) => nodes.delete(node),
    isUsed: (node: TestServer) => nodes.get(node) === true,
    requests: () => requests,
    async end() {
      ending.abort();
      await Promise.all(clients);
      agent.destroy();
      return failures;
    },
  };
}

it('no request is lost while nodes are restarted one after another', { timeout: 120_000 }, async () => {
  const { connection } = await testDatabaseWithConnection();
  const proxy = await startDatabaseProxy(connection);
  onTestFinished(() => proxy.close());
  const keyFile = join(temporaryFolder(), 'sealing.key');
  writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const { user, password, host, port, database } = proxy.connection;
  const url = `postgres://${user}:${encodeURIComponent(password ?? '')}@${host}:${port}/${database}`;
  const directories = [temporaryFolder(), temporaryFolder()];
  const start = (directory: string): Promise<TestServer> =>
    startTestServer({
      directory,
      keepData: true,
      args: ['--database-url', url, '--sealing-key-file', keyFile, '--shutdown-delay-ms', '1000'],
    });
  const balancer = balance();
  let nodes: TestServer[] = [];
  for (const directory of directories) {
    const node = await start(directory);
    nodes.push(node);
    balancer.add(node);
  }
  await vi.waitFor(() => expect(nodes.every(balancer.isUsed)).toBe(true), WAIT);

  for (const [index, directory] of directories.entries()) {
    const leaving = nodes[index];
    if (!leaving) continue;
    await leaving.running.stop();
    balancer.remove(leaving);
    const next = await start(directory);
    nodes = nodes.with(index, next);
    balancer.add(next);
    await vi.waitFor(() => expect(balancer.isUsed(next)).toBe(true), WAIT);
  }

  expect(await balancer.end()).toEqual([]);
  expect(balancer.requests()).toBeGreaterThan(500);
});

it.each(['--http', '--https'])('a port already in use is detected before a database is created: %s', async (flag) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo; // A listening TCP server has this address type.
  const directory = join(temporaryFolder(), 'data');
  const started = startTestServer({ directory, keepData: true, args: [flag, `127.0.0.1:${port}`] });
  await expect(started).rejects.toThrow(
    `127.0.0.1:${port} is in use by another program. Choose a different address with ${flag} HOST:PORT`,
  );
  expect(existsSync(join(directory, 'database'))).toBe(false);
});
