// Nonces over two nodes of one platform: what is sent twice, to both at the same time or later, counts once. The fault suite does
// the same with nodes that are killed, and twenty thousand times.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedTestServer, startTestServer, testDatabaseWithConnection, type TestDatabase } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFaultClient, PUBLIC_URL, type FaultClient } from '../faults/acme/fault-client.ts';
import { NonceLedger } from '../faults/acme/nonce-ledger.ts';
import { raceNonces, replayAll } from '../faults/acme/replays.ts';
import { temporaryFolder } from './testing/program.ts';

const CLIENTS = 8;
const USES = 100;
const REPLAYS = 1;

const folder = temporaryFolder();
const keyFile = join(folder, 'sealing.key');
let shared: TestDatabase | undefined;

/** Every node has the database and the sealing keys of the others, and a data directory of its own. */
async function nodeArgs(): Promise<string[]> {
  if (!shared) {
    await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    shared = await testDatabaseWithConnection();
  }
  const { host = '', port = 0, user = '', password = '', database = '' } = shared.connection;
  const address = `${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  return [
    `--database-url=postgres://${address}`,
    `--sealing-key-file=${keyFile}`,
    `--public-url=${PUBLIC_URL}`,
    '--https=off',
  ];
}

const ledger = new NonceLedger();
const first = sharedTestServer({ args: nodeArgs });
const second = sharedTestServer({ args: nodeArgs });
let clients: readonly FaultClient[];
/** Twice to each node: two requests at once may share a statement. */
const origins = [first, second, first, second].map((server) => () => server.ready.http);

beforeAll(async () => {
  clients = Array.from({ length: CLIENTS }, (_, index) =>
    createFaultClient({ ledger, origin: origins[index % origins.length]! }),
  );
  await Promise.all(clients.map((client) => client.account()));
});

/** Orders that are there beyond those that were asked for. */
async function surplusOrders(): Promise<number> {
  const [row] = await shared!.database.query<{ orders: number }>('SELECT count(*) AS orders FROM acme_order');
  const asked = ledger.all.filter(({ path }) => path.endsWith('/new-order')).length;
  expect(asked).toBeGreaterThanOrEqual(USES / 4);
  return (row?.orders ?? 0) - asked;
}

describe('a nonce', () => {
  it('is accepted by one of two nodes, once, whenever and wherever it is sent again', async () => {
    const repeated = await raceNonces({ ledger, clients, origins, uses: USES, replays: REPLAYS });
    expect(repeated).toBe(USES * (origins.length - 1 + REPLAYS));
    expect(ledger.violations()).toEqual([]);
    expect(await surplusOrders()).toBe(0);
  });

  it('is accepted or refused as before by a node that starts later', async () => {
    const used = ledger.all;
    const handedOut = ledger.freshCount;
    expect(handedOut).toBeGreaterThan(USES);
    const third = await startTestServer({ args: await nodeArgs() });
    const later = [() => third.ready.http];
    expect(await replayAll(used, { ledger, origins: later, parallel: CLIENTS })).toBe(used.length);
    await raceNonces({ ledger, clients, origins: [...origins, ...later], uses: USES, replays: 0 });
    expect(ledger.violations()).toEqual([]);
    expect(await surplusOrders()).toBe(0);
    expect(ledger.all.filter(({ lost }) => lost > 0)).toEqual([]);
  });
});
