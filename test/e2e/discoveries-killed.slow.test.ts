// Two nodes of one platform: the one reading a discovery's pages is killed, and the other continues after the last
// stored page within the lifetime of a lease. Nothing is counted twice.
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDiscoveryProvider, type DiscoveryProvider } from '../load/discovery-provider.ts';
import { begin, registerProvider, resultMaker, waitForEnd } from './testing/discoveries.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';

/** Starting two nodes, and waiting for the killed node's lease. */
const TIMEOUT_MS = 180_000;
const TAKEN_OVER_MS = 30_000;
const RESULTS = 5_000;

const nodes = createSharedDatabase();
const folder = temporaryFolder();
let provider: DiscoveryProvider;

beforeAll(async () => {
  provider = await startDiscoveryProvider();
});
afterAll(() => provider?.stop());

it('a discovery is taken over from a killed node, and ends with exact counters', { timeout: TIMEOUT_MS }, async () => {
  const args = [
    ...(await nodes.nodeArgs()),
    '--egress-allowed-hosts=127.0.0.1',
    '--discovery-networks=127.0.0.0/8',
    '--https=off',
  ];
  const dying = await startProgram({
    directory: join(folder, 'dying'),
    args,
    environment: { SIGNETRY_FAULT_POINT: 'discoveries.afterSet:2' },
  });
  const make = await resultMaker();
  const results = make(RESULTS);
  provider.shelves.set('killed', { results: [...results, ...results.slice(0, 50)], delayMs: 20 });
  const connectorUuid = await registerProvider(dying.client, provider);
  const died = once(dying.child, 'exit');
  const uuid = await begin(dying.client, { name: 'killed', connectorUuid });
  expect(await died).toContain('SIGKILL');
  const diedMs = performance.now();
  const [left] = await nodes.query<{ pages_read: number; found: number; ended_at: Date | null }>(
    'SELECT pages_read, found, ended_at FROM discovery',
  );
  expect(left).toEqual({ pages_read: 20, found: 2_000, ended_at: null });
  const asked = provider.asked.length;

  const other = await startProgram({ directory: join(folder, 'other'), args });
  await expect.poll(() => provider.asked.length, { timeout: TAKEN_OVER_MS }).toBeGreaterThan(asked);
  expect(performance.now() - diedMs).toBeLessThan(TAKEN_OVER_MS);
  expect(await waitForEnd(other.client, uuid)).toMatchObject({
    status: 'completed',
    found: RESULTS,
    newlyDiscovered: RESULTS,
    repeated: 50,
    read: RESULTS + 50,
    pagesRead: 51,
  });
  // It did not restart from the first page.
  expect(Math.min(...provider.asked.slice(asked).map(({ page }) => page))).toBe(21);
  expect(provider.begun).toEqual(['killed']);
  const [counted] = await nodes.query<{ rows: number; certificates: number }>(
    `SELECT (SELECT count(*)::int FROM discovery_certificate) AS rows,
       (SELECT count(*)::int FROM certificate WHERE common_name LIKE 'host%.example.com') AS certificates`,
  );
  expect(counted).toEqual({ rows: RESULTS, certificates: RESULTS });
});

it('a discovery is processed by only one of two nodes', { timeout: TIMEOUT_MS }, async () => {
  const args = [
    ...(await nodes.nodeArgs()),
    '--egress-allowed-hosts=127.0.0.1',
    '--discovery-networks=127.0.0.0/8',
    '--https=off',
  ];
  const [first, second] = [
    await startProgram({ directory: join(folder, 'first'), args }),
    await startProgram({ directory: join(folder, 'second'), args }),
  ];
  const make = await resultMaker();
  const [{ uuid: connectorUuid } = { uuid: '' }] = await nodes.query<{ uuid: string }>(
    `SELECT uuid FROM connector WHERE name = 'shelves'`,
  );
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  for (const name of names) provider.shelves.set(name, { results: make(1_200), delayMs: 10, looks: 2 });
  const begun = await Promise.all(
    names.map((name, index) => begin((index % 2 ? first : second).client, { name, connectorUuid })),
  );
  for (const uuid of begun)
    expect(await waitForEnd(first.client, uuid)).toMatchObject({ status: 'completed', found: 1_200, repeated: 0 });
  for (const name of names) {
    expect(provider.begun.filter((each) => each === name)).toHaveLength(1);
    // Two status requests while it was running, one at its end, and every page once.
    expect(provider.asked.filter((each) => each.name === name)).toHaveLength(2 + 1 + 12);
  }
});
