// A scheduled discovery whose node is killed during the run.
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDiscoveryProvider, type DiscoveryProvider } from '../load/discovery-provider.ts';
import { registerProvider, resultMaker } from './testing/discoveries.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { EVERY_SECOND, historyOf, schedule, scheduleOf, waitForEnd } from './testing/scheduled-discoveries.ts';

const nodes = createSharedDatabase();
const folder = temporaryFolder();
let provider: DiscoveryProvider;

beforeAll(async () => {
  provider = await startDiscoveryProvider();
});
afterAll(() => provider?.stop());

it(
  'a scheduled discovery is run again on a different node if its node is killed before it has created the discovery',
  { timeout: 180_000 },
  async () => {
    const args = [
      ...(await nodes.nodeArgs()),
      '--egress-allowed-hosts=127.0.0.1',
      '--discovery-networks=127.0.0.0/8',
      '--https=off',
    ];
    const environment = { SIGNETRY_FAULT_POINT: 'scheduler.afterBegin' };
    const dying = await startProgram({ directory: join(folder, 'dying'), args, environment });
    provider.shelves.set('killed', { results: (await resultMaker())(5) });
    const connectorUuid = await registerProvider(dying.client, provider);
    const died = once(dying.child, 'exit');
    const uuid = await schedule(
      dying.client,
      scheduleOf(connectorUuid, 'killed', { cronExpression: EVERY_SECOND, oneTime: true }),
    );
    expect(await died).toContain('SIGKILL');
    const other = await startProgram({ directory: join(folder, 'other'), args });
    await waitForEnd(other.client, uuid, 'succeeded');
    expect((await historyOf(other.client, uuid)).map(({ status, resultMessage }) => [status, resultMessage])).toEqual([
      ['succeeded', 'Certificates found: 5. New to the inventory: 5.'],
      ['failed', 'The node running it stopped during the run. It will be run again.'],
    ]);
    expect(provider.begun.filter((name) => name.startsWith('killed_'))).toHaveLength(1);
  },
);
