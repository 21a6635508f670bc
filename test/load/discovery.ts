// Discoveries: from a provider's pages to certificates that are committed and counted, then a repeat of the same. The
// jobs that follow (links and validation) start later and are not measured.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import { sourceMetadata, storeAttributes, KEY_STORE_KIND, startDiscoveryProvider } from './discovery-provider.ts';
import { derMaker } from './import.ts';
import type { BenchmarkReport } from './report.ts';
import { startServerProcess } from './server-process.ts';

const WARM = 2_000;

export async function benchDiscovery(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const count = Number(options.get('certificates') ?? 30_000);
  const directory = await mkdtemp(join(tmpdir(), 'signetry-bench-'));
  const provider = await startDiscoveryProvider();
  const one = await derMaker();
  const createStore = (size: number) => ({
    results: Array.from({ length: size }, (_, index) => ({
      base64Content: Buffer.from(one()).toString('base64'),
      ...(options.has('bare') ? {} : { meta: [sourceMetadata(`10.0.${index >> 8}.${index & 255}:443`)] }),
    })),
  });
  provider.shelves.set('warm', createStore(WARM)).set('all', createStore(count));
  const server = await startServerProcess({
    directory,
    args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
  });
  try {
    const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
    const body = { name: 'shelves', url: provider.url, authType: 'none' } as const;
    const { uuid: connectorUuid } = await client.connectors.createConnector({ body });
    const run = (name: string, from: string) => discover(client, { name, connectorUuid, from });
    await run('warm', 'warm');
    const first = await run('first', 'all');
    const second = await run('second', 'all');
    return {
      name: `Discovery of ${count.toLocaleString('en')} certificates`,
      figures: [
        { name: 'new certificates per second', value: first.perSecond, unit: '/s', goal: '>= 3,000' },
        { name: 'known certificates per second', value: second.perSecond, unit: '/s', goal: '>= 6,000' },
        { name: 'total time, new certificates', value: first.seconds, unit: 's' },
        { name: 'total time, known certificates', value: second.seconds, unit: 's' },
      ],
      notes: [
        'Pages of 100 over HTTP from a provider built with the connector SDK; every result has its own metadata.',
      ],
    };
  } finally {
    await server.stop();
    await provider.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function discover(
  client: Client,
  { name, connectorUuid, from }: Record<'name' | 'connectorUuid' | 'from', string>,
) {
  const beganMs = performance.now();
  const body = { name, connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes(from) };
  const { uuid } = await client.discoveries.createDiscovery({ body });
  for (;;) {
    const progress = await client.discoveryRuns.getDiscoveryProgress({ params: { uuid } });
    if (progress.phase === 'ended') {
      if (progress.status !== 'completed')
        throw new Error(`The discovery ended with status ${progress.status}: ${progress.message}`);
      return { perSecond: progress.perSecond ?? 0, seconds: (performance.now() - beganMs) / 1000 };
    }
    await delay(100);
  }
}
