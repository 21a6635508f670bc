// Restarts two nodes in turn under load: clients that check readiness must not lose a request. A node killed with its
// database must recover quickly.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServerProcess, type ServerProcess } from '../../load/server-process.ts';
import type { Violation } from '../check-database.ts';
import type { KillResult } from '../kill-rounds.ts';
import { waitForReadiness } from './issue-load.ts';
import { externalDatabase } from './outages.ts';

const CLIENTS = 8;
const ROUNDS = 2;
const READINESS_POLL_MS = 100;
const SHUTDOWN_DELAY_MS = 1_000;
const READY_WITHIN_MS = 30_000;

export async function restartRun(): Promise<KillResult> {
  const violations = [...(await rollingRestarts()), ...(await killWithDatabase())];
  for (const { what } of violations) console.log(`  ${what}`);
  return { kills: 1, violations, missed: [] };
}

async function rollingRestarts(): Promise<Violation[]> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-restarts-'));
  const external = await externalDatabase(directory);
  const start = (name: string): Promise<ServerProcess> =>
    startServerProcess({
      directory: join(directory, name),
      args: [...external.args, `--shutdown-delay-ms=${SHUTDOWN_DELAY_MS}`],
    });
  const nodes = new Map<string, ServerProcess>();
  for (const name of ['first', 'second']) nodes.set(name, await start(name));
  const balancer = balance(nodes);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ['first', 'second']) {
        await nodes.get(name)?.stop();
        const next = await start(name);
        await waitForReadiness(next, 200, READY_WITHIN_MS);
        nodes.set(name, next);
        // Both nodes serve for a moment before the other one is stopped.
        await delay(3 * READINESS_POLL_MS);
      }
    }
    const { requests, failures } = await balancer.end();
    console.log(`restarts: ${2 * ROUNDS} restarts, ${requests} requests, ${failures.length} failed`);
    return failures.length === 0
      ? []
      : [{ invariant: 'service', what: `${failures.length} requests failed, the first with ${failures[0]}` }];
  } finally {
    await balancer.end();
    for (const node of nodes.values()) await node.stop();
    await external.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Simulates clients with persistent connections behind a load balancer that polls the readiness of nodes. */
function balance(nodes: ReadonlyMap<string, ServerProcess>) {
  const agent = new Agent({ keepAlive: true });
  const ready = new Map<string, ServerProcess>();
  const failures: string[] = [];
  let requests = 0;
  const ending = new AbortController();

  const status = (url: string, headers: Readonly<Record<string, string>>): Promise<string> =>
    new Promise((resolve) => {
      get(url, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(String(answer.statusCode)));
      }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });

  async function watchReadiness(): Promise<void> {
    while (!ending.signal.aborted) {
      for (const [name, node] of nodes) {
        if ((await status(`${node.ready.http}/health/ready`, {})) === '200') ready.set(name, node);
        else ready.delete(name);
      }
      await delay(READINESS_POLL_MS);
    }
  }

  async function client(number: number): Promise<void> {
    for (let turn = number; !ending.signal.aborted; turn += 1) {
      const choice = [...ready.values()];
      const node = choice[turn % choice.length];
      if (node) {
        requests += 1;
        const answer = await status(`${node.ready.api}/v1/raProfiles`, { authorization: `Bearer ${node.ready.token}` });
        if (answer !== '200') failures.push(answer);
      }
      await delay(1);
    }
  }

  const work = [watchReadiness(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))];
  return {
    async end() {
      ending.abort();
      await Promise.all(work);
      agent.destroy();
      return { requests, failures };
    },
  };
}

async function killWithDatabase(): Promise<Violation[]> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-recovery-'));
  try {
    const server = await startServerProcess({ directory });
    const [postmaster = ''] = readFileSync(join(directory, 'database/pg/postmaster.pid'), 'utf8').split('\n');
    const ended = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    process.kill(Number(postmaster), 'SIGKILL');
    await ended;
    const next = await startServerProcess({ directory });
    const recovered = await waitForReadiness(next, 200, READY_WITHIN_MS);
    console.log(`restarts: ready ${next.startSeconds.toFixed(1)} s after platform and database were killed`);
    await next.stop();
    return recovered ? [] : [{ invariant: 'service', what: 'not ready after platform and database were killed' }];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
