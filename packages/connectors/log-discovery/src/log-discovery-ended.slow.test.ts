// Discoveries in logs whose process ends in the middle: another one goes on.
import { metaOf, start, startTestDiscovery, until, type TestDiscovery } from '@signetry/testkit/discovery';
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
        // What a kill leaves: a lease that runs out, and a process that can write no more.
        await from.pool.query(
          "UPDATE connector_log_discovery.discovery SET owner = gen_random_uuid(), owned_until = now() - interval '1 s' WHERE uuid = $1",
          [uuid],
        );
      },
    ],
  ])('%s goes on in another, and every entry counts once', async (_name, end) => {
    const first = await discovery.another();
    const second = await discovery.another();
    // The processes of the other tests would take it up too.
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
    const before = await until(first, uuid, (answer) => readIn(answer) > 256);
    await end(first, uuid);
    // It may grow meanwhile: what was begun is read.
    log.add(logged('late.example.com'));
    const whole = await until(second, uuid);
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
