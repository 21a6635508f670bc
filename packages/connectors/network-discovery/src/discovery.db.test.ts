// Network discoveries through the connector interface: real servers on loopback and a real database.
import { setTimeout as delay } from 'node:timers/promises';
import { DiscoveryStore } from '@signetry/connector-sdk/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, networkDiscovery, SCAN } from './index.ts';
import {
  metaOf,
  page,
  remove,
  start,
  startTestDiscovery,
  waitUntil,
  type TestDiscovery,
} from '@signetry/testkit/discovery';
import { egress, startSlowDiscovery, servedCountOf } from './testing/scans.ts';
import {
  credentialsFor,
  pemOf,
  rawServer,
  tlsServer,
  type Credentials,
  type Listening,
} from './testing/tls-servers.ts';

const QUICK = { [SCAN.ratePerSecond]: 10_000, [SCAN.ratePerHost]: 10_000, [SCAN.parallelPerHost]: 100 };
let discovery: TestDiscovery;
let one: Credentials;
let other: Credentials;
const servers: Listening[] = [];
const trackServer = async (server: Promise<Listening>): Promise<Listening> => {
  servers.push(await server);
  return server;
};
const startServer = (sent: readonly Uint8Array[], { key }: Credentials): Promise<Listening> =>
  trackServer(tlsServer({ cert: sent.map(pemOf).join(''), key }));

beforeAll(async () => {
  [discovery, one, other] = await Promise.all([
    startTestDiscovery(networkDiscovery, { egress }),
    credentialsFor('one.example'),
    credentialsFor('other.example', { expired: true }),
  ]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

describe('a network discovery', () => {
  it('finds each certificate once, and reports where it is served', async () => {
    const [first, second, closed] = await Promise.all([
      startServer([one.leaf, one.root], one),
      startServer([one.leaf, other.leaf], one),
      rawServer(() => undefined),
    ]);
    await closed.close();
    const ports = [first, second, closed].map(({ port }) => port).join();
    const { uuid, status } = await start(discovery, { ...QUICK, [SCAN.hosts]: '127.0.0.1', [SCAN.ports]: ports });
    expect(status).toBe('inProgress');
    const found = await waitUntil(discovery, uuid);
    expect(found).toMatchObject({ status: 'completed', totalCertificatesDiscovered: 3 });
    const byContent = new Map(found.certificateData.map((each) => [each.base64Content, each]));
    const leaf = byContent.get(Buffer.from(one.leaf).toString('base64'));
    const stranger = byContent.get(Buffer.from(other.leaf).toString('base64'));
    const names = CERTIFICATE_METADATA;
    expect(leaf && new Set(metaOf(leaf, names.source))).toEqual(
      new Set([`127.0.0.1:${first.port}`, `127.0.0.1:${second.port}`]),
    );
    expect(leaf && metaOf(leaf, names.endpoints)).toEqual([2]);
    expect(stranger && metaOf(stranger, names.position)).toEqual([1]);
    expect(stranger && metaOf(stranger, names.protocol)).toEqual(['TLSv1.3']);
    expect(Object.values(DISCOVERY_METADATA).map((name) => metaOf(found, name))).toEqual([
      [3],
      [2],
      [1],
      ['connection refused (1)'],
    ]);
  });

  it('connects with server names, and without one', async () => {
    const names: (string | undefined)[] = [];
    const server = await trackServer(
      tlsServer({
        cert: one.certificate,
        key: one.key,
        SNICallback: (name, done) => {
          names.push(name);
          done(null, undefined);
        },
      }),
    );
    const { uuid } = await start(discovery, {
      ...QUICK,
      [SCAN.hosts]: '127.0.0.1 localhost',
      [SCAN.ports]: String(server.port),
      [SCAN.serverNames]: 'a.example',
      [SCAN.withoutServerName]: true,
    });
    const found = await waitUntil(discovery, uuid);
    expect(metaOf(found, DISCOVERY_METADATA.total)).toEqual([5]);
    expect(new Set(names)).toEqual(new Set(['localhost', 'a.example']));
    expect(found.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.serverName)?.toSorted())).toEqual([
      ['a.example', 'localhost'],
    ]);
  });

  it('can be read page by page while it runs, and pages do not change', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, (_, at) => credentialsFor(`${at}.example`)));
    const listening = await Promise.all(many.map((each) => startServer([each.leaf], each)));
    const silent = await trackServer(rawServer(() => undefined));
    const { uuid } = await start(discovery, {
      ...QUICK,
      [SCAN.hosts]: '127.0.0.1',
      [SCAN.ports]: [...listening.slice(0, 4), silent, ...listening.slice(4)].map(({ port }) => port).join(),
      [SCAN.timeoutSeconds]: 2,
    });
    const half = await waitUntil(discovery, uuid, (answer) => answer.totalCertificatesDiscovered > 0);
    expect(half.status).toBe('inProgress');
    expect(half.totalCertificatesDiscovered).toBe(4);
    const whole = await waitUntil(discovery, uuid);
    const pages = await Promise.all([1, 2, 3, 4].map((number) => page(discovery, uuid, { number, size: 3 })));
    expect(pages.map((each) => each.certificateData.length)).toEqual([3, 3, 2, 0]);
    const read = pages.flatMap((each) => each.certificateData.map((found) => found.uuid));
    expect(read).toEqual(whole.certificateData.map((found) => found.uuid));
    expect(read.slice(0, 4)).toEqual(half.certificateData.map((found) => found.uuid));
    expect(metaOf(whole, DISCOVERY_METADATA.reason)).toEqual(['the peer did not complete the handshake in time (1)']);
  });
});

async function startSlowScan() {
  const server = await startServer([one.leaf], one);
  return { server, uuid: await startSlowDiscovery(discovery, server) };
}

describe('a network discovery whose process', () => {
  it('has lost the discovery to another process writes no more results', async () => {
    const { uuid } = await startSlowScan();
    await waitUntil(discovery, uuid, (answer) => servedCountOf(answer) > 0);
    const { storage } = await storeOf(discovery);
    const isAdvanced = await storage.advance(uuid, '0193f0a2-0000-7000-8000-000000000000', {
      steps: [{ checkpoint: { next: 60, total: 60 }, counts: { served: 60 }, certificates: [] }],
      counts: { served: 60 },
      problems: [],
    });
    expect(isAdvanced).toBe(false);
    await remove(discovery, uuid);
  });

  it('is notified of its deletion opens no further connections', async () => {
    const { uuid, server } = await startSlowScan();
    await waitUntil(discovery, uuid, (answer) => servedCountOf(answer) > 0);
    await remove(discovery, uuid);
    await delay(100);
    const taken = server.taken();
    await delay(500);
    expect(server.taken()).toBe(taken);
    await expect(page(discovery, uuid)).rejects.toMatchObject({ status: 404 });
  });
});

async function storeOf({ pool }: TestDiscovery) {
  const { createPostgresStorage } = await import('@signetry/connector-sdk');
  const schema = 'connector_network_discovery';
  return { storage: new DiscoveryStore(createPostgresStorage(pool, { schema })) };
}

describe('a blocked target', () => {
  it('is rejected immediately if it is an IP address', async () => {
    const values = { [SCAN.hosts]: '127.0.0.9-127.0.0.10', [SCAN.ports]: '443' };
    await expect(start(discovery, values)).rejects.toMatchObject({
      status: 422,
      problems: ['Scanning 127.0.0.9 is not allowed.'],
    });
  });

  it('is skipped if it is part of a range, with a warning', async () => {
    const values = { ...QUICK, [SCAN.hosts]: '127.0.0.8-127.0.0.10', [SCAN.ports]: '1' };
    const { uuid } = await start(discovery, values);
    const found = await waitUntil(discovery, uuid);
    expect(found.status).toBe('warning');
    expect(metaOf(found, DISCOVERY_METADATA.reason)?.[0]).toContain('scanning the address is not allowed (1)');
  });

  it("is reported as one of the platform's own listeners if it is one", async () => {
    const values = { ...QUICK, [SCAN.hosts]: '127.0.0.10-127.0.0.12', [SCAN.ports]: '1' };
    const { uuid } = await start(discovery, values);
    const found = await waitUntil(discovery, uuid);
    expect(found.status).toBe('warning');
    expect(metaOf(found, DISCOVERY_METADATA.reason)?.[0]).toContain("one of the platform's own listeners");
  });

  it('is any target if the host has no rules for outgoing connections', async () => {
    const closed = await startTestDiscovery(networkDiscovery);
    await expect(start(closed, { [SCAN.hosts]: '127.0.0.1' })).rejects.toMatchObject({ status: 422 });
  });
});

describe('form values', () => {
  it('are checked together', async () => {
    const values = { [SCAN.hosts]: '10.0.0.0/4, 10.0.0.300', [SCAN.ports]: '0', [SCAN.serverNames]: '10.0.0.1' };
    await expect(start(discovery, values)).rejects.toMatchObject({
      status: 422,
      problems: [
        expect.stringContaining('10.0.0.0/4'),
        expect.stringContaining('10.0.0.300'),
        expect.stringContaining('"0"'),
        expect.stringContaining('is an IP address, which cannot be sent as SNI.'),
      ],
    });
    await expect(start(discovery, { [SCAN.hosts]: '10.0.0.0/8', [SCAN.allPorts]: true })).rejects.toThrow(
      'at most 50000000 are allowed',
    );
    await expect(start(discovery, { [SCAN.hosts]: 'a', [SCAN.parallel]: 1_001 })).rejects.toMatchObject({
      status: 422,
    });
  });

  it('start only one discovery for each idempotency key', async () => {
    const values = { [SCAN.hosts]: '127.0.0.1', [SCAN.ports]: '1' };
    const [first, second] = [
      await start(discovery, values, 'once', 'the key'),
      await start(discovery, values, 'once', 'the key'),
    ];
    expect(second.uuid).toBe(first.uuid);
  });

  it.each([
    { number: 0, size: 10 },
    { number: 1, size: 1_001 },
  ])('are validated when a page of results is requested: %o', async (wrong) => {
    const { uuid } = await start(discovery, { [SCAN.hosts]: '127.0.0.1', [SCAN.ports]: '1' });
    await expect(page(discovery, uuid, wrong)).rejects.toMatchObject({ status: 422 });
  });
});
