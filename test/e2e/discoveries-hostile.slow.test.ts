// Misbehaving discovery providers: in every case the discovery ends with an understandable reason, and its results so
// far are kept.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { functionGroupSpecifications } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import type { Client } from '@signetry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  KEY_STORE_KIND,
  startDiscoveryProvider,
  type DiscoveryProvider,
  type Store,
  type StoreResult,
} from '../load/discovery-provider.ts';
import { begin, discover, registerProvider, resultMaker, waitUntil, waitForEnd } from './testing/discoveries.ts';

const server = sharedTestServer({
  args: [
    '--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8', '--discovery-deadline-minutes', '1', '--discovery-outage-seconds', '3',
    '--connector-same-kinds', 'accept',
  ], // prettier-ignore
});
let client: Client;
let provider: DiscoveryProvider;
let patient: DiscoveryProvider;
let make: (count: number) => StoreResult[];
let connectorUuid: string;
/** Its time limit passes while the other tests run. */
let never: string;

beforeAll(async () => {
  ({ client } = server);
  provider = await startDiscoveryProvider();
  make = await resultMaker();
  connectorUuid = await registerProvider(client, provider);
  // A separate connector: failures of the other providers open their connector's circuit breaker.
  patient = await startDiscoveryProvider();
  patient.shelves.set('never', { results: [], looks: Number.POSITIVE_INFINITY });
  never = await begin(client, { name: 'never', connectorUuid: await registerProvider(client, patient, 'patient') });
});
afterAll(async () => {
  await provider?.stop();
  await patient?.stop();
});

async function run(name: string, shelf: Store) {
  provider.shelves.set(name, shelf);
  return discover(client, { name, connectorUuid });
}

describe('a provider', () => {
  it('that endlessly repeats its first page adds its certificates only once', async () => {
    const results = make(100);
    const ended = await run('for-ever', { results, page: () => results, total: () => 2_000 });
    expect(ended).toMatchObject({ status: 'completed', announced: 2_000, found: 100, repeated: 1_900 });
  });

  it('that changes its total ends with a warning, and the results announced first are imported', async () => {
    const grows = await run('grows', { results: make(250), total: (page) => 250 + page - 1 });
    expect(grows).toMatchObject({
      status: 'warning',
      found: 250,
      message: expect.stringMatching(/reported 250 results, but 25\d while/),
    });
    const shrinks = await run('shrinks', { results: make(120), total: (page) => (page === 1 ? 250 : 120) });
    expect(shrinks).toMatchObject({ status: 'warning', found: 120, pagesRead: 2, resumable: true });
  });

  it('whose pages end early causes a warning that states the position', async () => {
    const ended = await run('empty', { results: make(100), total: () => 1_000 });
    expect(ended.message).toBe('Page 2 from the provider was empty, although it reported 1000 results.');
    expect(ended).toMatchObject({ status: 'warning', found: 100, pages: 10, pagesRead: 1 });
  });

  it('that returns more results per page than requested makes the discovery fail', async () => {
    const ended = await run('too-many', { results: make(101), page: () => provider.shelves.get('too-many')!.results });
    expect(ended).toMatchObject({
      status: 'failed',
      found: 0,
      message: expect.stringMatching(/101 results on page 1/),
    });
  });

  it('that fails reports the failure, and the results up to then are kept', async () => {
    const ended = await run('failed', { results: make(5), endsWith: 'failed' });
    expect(ended).toMatchObject({
      status: 'failed',
      found: 5,
      message: expect.stringMatching(/^The provider reported a failure/),
    });
  });

  it('that fails temporarily is retried', async () => {
    expect(await run('stumbles', { results: make(150), faults: 2 })).toMatchObject({ status: 'completed', found: 150 });
  });

  it('that returns only errors makes the discovery fail with that reason', async () => {
    const ended = await run('broken', { results: make(1), faults: 1_000 });
    expect(ended).toMatchObject({ status: 'failed', message: expect.stringMatching(/status 500/) });
  });

  it('that finds nothing completes normally', async () => {
    expect(await run('nothing', { results: [] })).toMatchObject({ status: 'completed', found: 0, pages: 0 });
  });

  it('that forgets the discovery makes it fail', async () => {
    provider.shelves.set('forgotten', { results: make(1_000), delayMs: 200 });
    const uuid = await begin(client, { name: 'forgotten', connectorUuid });
    await waitUntil(client, uuid, ({ phase }) => phase === 'reading');
    provider.forgetAll();
    expect(await waitForEnd(client, uuid)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/does not exist/),
    });
  });

  it('that stops responding makes the discovery fail after a while, and the results up to then are kept', async () => {
    const mortal = await startDiscoveryProvider();
    const mortalUuid = await registerProvider(client, mortal, 'mortal');
    mortal.shelves.set('dies', { results: make(4_000), delayMs: 100 });
    const uuid = await begin(client, { name: 'dies', connectorUuid: mortalUuid });
    await waitUntil(client, uuid, ({ found }) => found > 0);
    await mortal.stop();
    const ended = await waitForEnd(client, uuid);
    expect(ended).toMatchObject({ status: 'failed', resumable: true, message: expect.stringMatching(/mortal/) });
    expect(ended.found).toBeGreaterThan(0);
  });
});

describe('a discovery whose provider', () => {
  const declaration = {
    functionGroupCode: 'discoveryProvider',
    kinds: [KEY_STORE_KIND],
    endPoints: functionGroupSpecifications.discoveryProvider.endpoints.map(({ uuid, ...rest }) => ({ uuid: uuid ?? '', ...rest })), // prettier-ignore
  };

  it('violates the connector interface fails with that reason', async () => {
    const garbage = createServer((request, response) => {
      const call = `${request.method} ${request.url}`;
      const answer =
        call === 'GET /v1'
          ? [declaration]
          : call === 'GET /v1/health'
            ? { status: 'ok' }
            : call.endsWith('ttributes')
              ? []
              : call.endsWith('validate')
                ? true
                : { uuid: 7, certificateData: 'x' };
      request
        .resume()
        .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)));
    });
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const { port } = garbage.address() as AddressInfo; // A listening TCP server has this address type.
    const uuid = await registerProvider(client, { url: `http://127.0.0.1:${port}` }, 'garbage');
    const body = { name: 'garbage', connectorUuid: uuid, kind: KEY_STORE_KIND, attributes: [] };
    const { uuid: discovery } = await client.discoveries.createDiscovery({ body });
    const ended = await waitForEnd(client, discovery);
    expect(ended).toMatchObject({ status: 'failed', found: 0, message: expect.stringMatching(/Connector garbage/) });
    garbage.closeAllConnections();
    await new Promise((resolve) => garbage.close(resolve));
  });

  it('never finishes is ended at its time limit', { timeout: 120_000 }, async () => {
    const searching = await waitUntil(client, never, ({ phase }) => phase !== 'starting');
    expect(searching.status).toMatch(/inProgress|warning/);
    expect(await waitForEnd(client, never)).toMatchObject({
      status: 'warning',
      message: 'The discovery reached its time limit: its provider had not finished.',
      resumable: true,
    });
  });
});
