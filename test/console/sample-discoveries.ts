// Discoveries that completed, found what cannot be read, failed, and search; their connector runs in this process.
import type { Client } from '@signetry/client';
import { foundAt, startDiscoveryProvider, type DiscoveryProvider } from '../load/discovery-provider.ts';
import { begin, discover, registerProvider, resultMaker } from '../e2e/testing/discoveries.ts';

export interface DiscoverySamples {
  /** With differences to the one before. */
  readonly completed: string;
  readonly warning: string;
  readonly failed: string;
  readonly searching: string;
}

/** The platform must be allowed to call 127.0.0.1. */
export async function createSampleDiscoveries(
  client: Client,
): Promise<DiscoverySamples & { readonly provider: DiscoveryProvider }> {
  const provider = await startDiscoveryProvider();
  const connectorUuid = await registerProvider(client, provider, 'shelves of the warehouse');
  const make = await resultMaker();
  const results = make(60).map((result, index) => ({ ...result, meta: [foundAt(`10.0.0.${index}:443`)] }));
  const run = async (name: string, shelf: string) => (await discover(client, { name, connectorUuid, shelf })).uuid;
  provider.shelves.set('rack', { results: results.slice(0, 50) });
  await run('Data centre, last week', 'rack');
  provider.shelves.set('rack', { results: results.slice(8) });
  const completed = await run('Data centre, this week', 'rack');
  const unreadable = ['no certificate', 'neither', 'a key'].map((text) => ({ base64Content: Buffer.from(text).toString('base64') })); // prettier-ignore
  provider.shelves.set('attic', { results: [...make(5), ...unreadable] });
  const warning = await run('Attic', 'attic');
  provider.shelves.set('cellar', { results: make(3), endsWith: 'failed' });
  const failed = await run('Cellar', 'cellar');
  provider.shelves.set('yard', { results: [], looks: Number.POSITIVE_INFINITY });
  const searching = await begin(client, { name: 'Yard', connectorUuid, shelf: 'yard' });
  return { completed, warning, failed, searching, provider };
}
