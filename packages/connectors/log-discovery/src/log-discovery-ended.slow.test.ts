// Log discoveries whose process ends midway: another process continues.
import { metaOf, start, startTestDiscovery, waitUntil, type TestDiscovery } from '@signetry/testkit/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, LOG, logDiscovery } from './index.ts';
import { egress, testLogs, valuesFor, type TestLogs } from './testing/test-logs.ts';

let discovery: TestDiscovery;
let logs: TestLogs;

beforeAll(async () => {
  [discovery, logs] = await Promise.all([startTestDiscovery(logDiscovery, { egress }), testLogs()]);
});
afterAll(() => logs.close());

describe('a discovery whose process', () => {
  it.each([
    ['is stopped', (from: TestDiscovery) => from.running.stop?.()],
    [
      'is killed',
      async (from: TestDiscovery, uuid: string) => {
        // A kill leaves a lease that expires, and a process that can no longer write.
        await from.pool.query(
          "UPDATE connector_log_discovery.discovery SET owner = gen_random_uuid(), owned_until = now() - interval '1 s' WHERE uuid = $1",
          [uuid],
        );
      },
    ],
  ])('%s continues in another process, and every entry is counted once', async (_name, end) => {
    const first = await discovery.another();
    const second = await discovery.another();
    // Otherwise, processes of other tests would also pick it up.
    await discovery.running.stop?.();
    const { authority, fillers, logged, logOf } = logs;
    const pair = authority.issue('pre.example.com');
    const log = await logOf(
      logged('a.example.com'),
      ...fillers(256 * 30),
      logged('b.example.com'),
      { precertificate: pair.precertificate, tbs: pair.tbs },
      ...fillers(256 * 30),
    );
    const { uuid } = await start(first, valuesFor(log, { [LOG.ratePerSecond]: 30, [LOG.parallel]: 2 }));
    const readIn = (answer: Parameters<typeof metaOf>[0]) => Number(metaOf(answer, DISCOVERY_METADATA.read)?.[0]);
    const before = await waitUntil(first, uuid, (answer) => readIn(answer) > 256);
    await end(first, uuid);
    // The log can grow in the meantime; only the original range is read.
    log.add(logged('late.example.com'));
    const whole = await waitUntil(second, uuid);
    expect([before.status, whole.status]).toEqual(['inProgress', 'completed']);
    expect([readIn(whole), metaOf(whole, DISCOVERY_METADATA.matching)]).toEqual([256 * 60 + 3, [3]]);
    expect(whole.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.entry))).toEqual([
      [0],
      [256 * 30 + 1],
      [256 * 30 + 2],
    ]);
    expect(whole.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.times))).toEqual([[1], [1], [1]]);
    await first.running.stop?.();
    await second.running.stop?.();
    discovery = await discovery.another();
  });
});
