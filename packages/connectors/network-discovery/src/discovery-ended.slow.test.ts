// Network discoveries whose process ends midway: another process continues.
import { metaOf, startTestDiscovery, waitUntil, type TestDiscovery } from '@signetry/testkit/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, networkDiscovery } from './index.ts';
import { egress, startSlowDiscovery, servedCountOf } from './testing/scans.ts';
import { credentialsFor, pemOf, tlsServer, type Listening } from './testing/tls-servers.ts';

let discovery: TestDiscovery;
let server: Listening;

beforeAll(async () => {
  discovery = await startTestDiscovery(networkDiscovery, { egress });
  const { leaf, key } = await credentialsFor('one.example');
  server = await tlsServer({ cert: pemOf(leaf), key });
});
afterAll(() => server.close());

describe('a discovery whose process', () => {
  it.each([
    ['is stopped', (from: TestDiscovery) => from.running.stop?.()],
    [
      'is killed',
      async (from: TestDiscovery, uuid: string) => {
        // A kill leaves a lease that expires, and a process that can no longer write.
        await from.pool.query(
          "UPDATE connector_network_discovery.discovery SET owner = gen_random_uuid(), owned_until = now() - interval '1 s' WHERE uuid = $1",
          [uuid],
        );
      },
    ],
  ])('%s continues in another process, and every target is counted once', async (_name, end) => {
    const first = await discovery.another();
    const second = await discovery.another();
    // Otherwise, processes of other tests would also pick it up.
    await discovery.running.stop?.();
    const uuid = await startSlowDiscovery(first, server);
    const before = await waitUntil(first, uuid, (answer) => servedCountOf(answer) > 5);
    await end(first, uuid);
    const whole = await waitUntil(second, uuid);
    expect(before.status).toBe('inProgress');
    expect(whole.status).toBe('completed');
    const { total, served, failed } = DISCOVERY_METADATA;
    expect([total, served, failed].map((name) => metaOf(whole, name))).toEqual([[60], [60], [0]]);
    expect(whole.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.endpoints))).toEqual([[60]]);
    await first.running.stop?.();
    await second.running.stop?.();
    discovery = await discovery.another();
  });
});
