// Discoveries that completed, found unreadable certificates, failed, or are running; their connector runs in this
// process.
import type { Client } from '@signetry/client';
import { setTimeout as delay } from 'node:timers/promises';
import {
  sourceMetadata,
  storeAttributes,
  KEY_STORE_KIND,
  startDiscoveryProvider,
  type DiscoveryProvider,
} from '../load/discovery-provider.ts';
import { begin, discover, registerProvider, resultMaker } from '../e2e/testing/discoveries.ts';

export interface DiscoverySamples {
  /** Has differences from the previous discovery. */
  readonly completed: string;
  readonly warning: string;
  readonly failed: string;
  readonly searching: string;
  /** Scheduled job that created a discovery. */
  readonly job: string;
}

/** The platform must be allowed to call 127.0.0.1. */
export async function createSampleDiscoveries(
  client: Client,
): Promise<DiscoverySamples & { readonly provider: DiscoveryProvider }> {
  const provider = await startDiscoveryProvider();
  const connectorUuid = await registerProvider(client, provider, 'warehouse shelves');
  const make = await resultMaker();
  const results = make(60).map((result, index) => ({ ...result, meta: [sourceMetadata(`10.0.0.${index}:443`)] }));
  const run = async (name: string, shelf: string) => (await discover(client, { name, connectorUuid, shelf })).uuid;
  provider.shelves.set('rack', { results: results.slice(0, 50) });
  await run('Data center, last week', 'rack');
  provider.shelves.set('rack', { results: results.slice(8) });
  const completed = await run('Data center, this week', 'rack');
  const unreadable = ['no certificate', 'neither', 'a key'].map((text) => ({
    base64Content: Buffer.from(text).toString('base64'),
  }));
  provider.shelves.set('attic', { results: [...make(5), ...unreadable] });
  const warning = await run('Attic', 'attic');
  provider.shelves.set('cellar', { results: make(3), endsWith: 'failed' });
  const failed = await run('Cellar', 'cellar');
  provider.shelves.set('yard', { results: [], looks: Number.POSITIVE_INFINITY });
  const searching = await begin(client, { name: 'Yard', connectorUuid, shelf: 'yard' });
  const job = await scheduleOne(client, connectorUuid);
  return { completed, warning, failed, searching, job, provider };
}

/** Its two discoveries find only known certificates. */
async function scheduleOne(client: Client, connectorUuid: string): Promise<string> {
  const request = { name: 'Rack', connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes('rack') };
  const body = { jobName: 'Rack, every Sunday', cronExpression: '0 0 3 ? * SUN', request };
  const { uuid } = await client.discoveries.scheduleDiscovery({ body });
  const params = { uuid };
  for (let runs = 0; runs < 2; runs += 1) {
    let { running } = await client.scheduledJobRuns.runScheduledJob({ params });
    while (running) {
      await delay(100);
      ({ running } = await client.scheduledJobRuns.getScheduledJobOverview({ params }));
    }
  }
  return uuid;
}
