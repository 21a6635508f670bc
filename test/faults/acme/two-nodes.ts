// Two nodes over one database: every request is sent to both at the same time and again and again later, while one node
// is killed and the other is stopped and started. What has one nonce must count once; what has a fresh one must count.
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
/** How often each request is sent again while further ones go on, beside once to the other node at the same time. */
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

  /** Kills one node when a third is done, and stops the other when two thirds are. */
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
    // The replays to the other node at once, those meanwhile, and the two at the end.
    const uses = Math.ceil(replays / (origins.length - 1 + REPLAYS + origins.length));
    const begun = performance.now();
    const [meanwhile] = await Promise.all([
      raceNonces({ ledger, clients, origins, uses, replays: REPLAYS, random }),
      disturb(uses),
    ]);
    const afterwards = await replayAll(ledger.all, { ledger, origins, parallel: CLIENTS });
    // Handed out by processes that have ended, as well as by those that run.
    const kept = ledger.freshCount;
    await raceNonces({ ledger, clients, origins, uses: Math.min(kept, uses), replays: 0, random });
    const violations = [...ledger.violations(), ...(await surplusOrders(database, ledger))];
    const lost = ledger.all.filter((use) => use.lost > 0).length;
    console.log(
      `nonces: ${kills} kills, ${ledger.useCount} nonces used on two nodes, ${meanwhile + afterwards} replays, ` +
        `${lost} nonces with lost answers, ${ledger.troubles.length} answers 5xx, ${violations.length} violations ` +
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

/** A database of their own for the nodes, and how one is started over it. */
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

/** Every order was asked for by a request with a nonce of its own. */
async function surplusOrders(database: Database, ledger: NonceLedger): Promise<Violation[]> {
  const asked = ledger.all.filter(({ path }) => path.endsWith('/new-order'));
  const answered = asked.filter(({ judged }) => judged > 0).length;
  const [row] = await database.query<{ orders: number }>('SELECT count(*) AS orders FROM acme_order');
  const orders = row?.orders ?? 0;
  if (orders >= answered && orders <= asked.length) return [];
  return [{ invariant: 'I8', what: `${orders} orders of ${answered} to ${asked.length} requests` }];
}

/** A platform that forgets which nonces were used is found out. */
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
