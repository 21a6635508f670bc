// Two nodes share a database. Every request is sent to both simultaneously and replayed later, while one node is killed
// and the other is restarted. A nonce must be accepted exactly once, and an unused nonce must be accepted.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, openSocketDirectory, type ConnectionFacts } from '@signetry/server/database';
import { startTestCluster, TEMPLATE_DATABASE } from '../../../packages/testkit/src/test-cluster.ts';
import { startServerProcess, type ServerProcess } from '../../load/server-process.ts';
import type { Violation } from '../check-database.ts';
import type { KillResult } from '../kill-rounds.ts';
import { createFaultClient, PUBLIC_URL } from './fault-client.ts';
import { NonceLedger } from './nonce-ledger.ts';
import { raceNonces, replayAll } from './replays.ts';

const CLIENTS = 12;
/** Replays of each request while the load continues, in addition to the simultaneous one to the other node. */
const REPLAYS = 6;
const DATABASE = 'nonces';

export async function nonceRun(options: {
  readonly replays: number;
  readonly random: () => number;
}): Promise<KillResult> {
  const { replays, random } = options;
  const site = await prepareSite();
  const { database, start } = site;
  const nodes = { first: await start('first'), second: await start('second') };
  const origins = [() => nodes.first.ready.http, () => nodes.second.ready.http];
  const ledger = new NonceLedger();
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    createFaultClient({ ledger, origin: origins[index % origins.length]! }),
  );
  let kills = 0;

  /** Kills one node after a third of the uses, and restarts the other after two thirds. */
  async function disturb(uses: number): Promise<void> {
    while (ledger.useCount < uses / 3) await delay(10);
    nodes.second.child.kill('SIGKILL');
    await once(nodes.second.child, 'exit');
    kills += 1;
    nodes.second = await start('second');
    while (ledger.useCount < (uses * 2) / 3) await delay(10);
    await nodes.first.stop();
    nodes.first = await start('first');
  }

  try {
    for (const client of clients) await client.account();
    // Simultaneous replays to the other node, replays during the load, and one per node at the end.
    const uses = Math.ceil(replays / (origins.length - 1 + REPLAYS + origins.length));
    const begun = performance.now();
    const [meanwhile] = await Promise.all([
      raceNonces({ ledger, clients, origins, uses, replays: REPLAYS, random }),
      disturb(uses),
    ]);
    const afterwards = await replayAll(ledger.all, { ledger, origins, parallel: CLIENTS });
    // The nonces come from both terminated and running processes.
    const kept = ledger.freshCount;
    await raceNonces({ ledger, clients, origins, uses: Math.min(kept, uses), replays: 0, random });
    const violations = [...ledger.violations(), ...(await surplusOrders(database, ledger))];
    const lost = ledger.all.filter((use) => use.lost > 0).length;
    console.log(
      `nonces: ${kills} kills, ${ledger.useCount} nonces used on two nodes, ${meanwhile + afterwards} replays, ` +
        `${lost} nonces with lost responses, ${ledger.troubles.length} 5xx responses, ${violations.length} violations ` +
        `in ${Math.round((performance.now() - begun) / 1000)} s`,
    );
    for (const { invariant, what } of violations.slice(0, 10)) console.log(`  ${invariant} ${what}`);
    for (const trouble of new Set(ledger.troubles.slice(0, 5))) console.log(`  ${trouble}`);
    return { kills, violations, missed: await missedFaults(database, { ledger, origins }) };
  } finally {
    await Promise.all([nodes.first.stop(), nodes.second.stop()]);
    await site.remove();
  }
}

/** Creates a database for the nodes and returns it with a function that starts a node. */
async function prepareSite() {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-nonces-'));
  const cluster = await startTestCluster();
  const { runDirectory, port, user, password, superuser } = cluster.facts;
  const socket = openSocketDirectory(runDirectory);
  const facts = { host: socket.path, port, user, password };
  const open = (connection: ConnectionFacts) => new Database({ connection, onError: () => undefined });
  const maintenance = open({ ...facts, ...superuser, database: 'postgres' });
  await maintenance.query(`CREATE DATABASE ${DATABASE} TEMPLATE ${TEMPLATE_DATABASE} OWNER ${user}`);
  await maintenance.close();
  const database = open({ ...facts, database: DATABASE });
  const keyFile = join(directory, 'sealing.key');
  writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const address = `${user}:${password}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(runDirectory)}`;
  const args = [
    `--database-url=postgres://${address}`,
    `--sealing-key-file=${keyFile}`,
    `--public-url=${PUBLIC_URL}`,
    '--egress-allowed-hosts=127.0.0.1',
  ];
  const start = (name: string): Promise<ServerProcess> =>
    startServerProcess({ directory: join(directory, name), args: [...args, '--https=off'] });
  const remove = async (): Promise<void> => {
    await database.close();
    socket.close();
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { database, start, remove };
}

/** Checks that every order belongs to a request with a distinct nonce. */
async function surplusOrders(database: Database, ledger: NonceLedger): Promise<Violation[]> {
  const asked = ledger.all.filter(({ path }) => path.endsWith('/new-order'));
  const answered = asked.filter(({ judged }) => judged > 0).length;
  const [row] = await database.query<{ orders: number }>('SELECT count(*) AS orders FROM acme_order');
  const orders = row?.orders ?? 0;
  if (orders >= answered && orders <= asked.length) return [];
  return [{ invariant: 'I8', what: `${orders} orders, ${answered} responses, ${asked.length} requests` }];
}

/** Checks that a platform that forgets used nonces is detected. */
async function missedFaults(
  database: Database,
  { ledger, origins }: { readonly ledger: NonceLedger; readonly origins: readonly (() => string)[] },
): Promise<string[]> {
  await database.query('DELETE FROM acme_used_nonce');
  const some = ledger.all.slice(0, 100);
  await replayAll(some, { ledger, origins, parallel: 1 });
  const found = ledger.violations().length;
  const forgotten = some.filter(({ judged }) => judged > 0).length;
  return found >= forgotten ? [] : [`used nonces are forgotten (${found} of ${forgotten})`];
}
