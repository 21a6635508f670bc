// Discoveries with a provider built with the connector kit: results are imported once, counted exactly, and visible
// while the discovery runs.
import { sharedTestServer } from '@signetry/testkit/platform';
import { startFaultProxy } from '@signetry/testkit/fault-proxy';
import type { Client } from '@signetry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  sourceMetadata,
  storeAttributes,
  KEY_STORE_KIND,
  startDiscoveryProvider,
  type DiscoveryProvider,
  type StoreResult,
} from '../load/discovery-provider.ts';
import { begin, discover, registerProvider, resultMaker, waitUntil, waitForEnd } from './testing/discoveries.ts';

const server = sharedTestServer({
  args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
});
let client: Client;
let provider: DiscoveryProvider;
let make: (count: number) => StoreResult[];
let connectorUuid: string;

beforeAll(async () => {
  ({ client } = server);
  provider = await startDiscoveryProvider();
  make = await resultMaker();
  connectorUuid = await registerProvider(client, provider);
});
afterAll(() => provider?.stop());

const certificatesOf = (uuid: string, query: Record<string, unknown> = {}) =>
  client.discoveries.getDiscoveryCertificates({
    params: { uuid },
    query: { itemsPerPage: 1000, pageNumber: 1, ...query },
  });
const run = (name: string, shelf = name) => discover(client, { name, connectorUuid, shelf });
const list = (filters: Parameters<Client['discoveries']['listDiscoveries']>[0]['body']['filters']) =>
  client.discoveries.listDiscoveries({ body: { filters } });

describe('a discovery', () => {
  it('imports new certificates only once, with metadata that references the discovery', async () => {
    const results = make(250).map((result, index) => ({ ...result, meta: [sourceMetadata(`10.0.0.${index}:443`)] }));
    const [first] = results;
    provider.shelves.set('plain', {
      results: [...results, { ...first!, meta: [sourceMetadata('10.9.9.9:443')] }],
      looks: 2,
    });
    const uuid = await begin(client, { name: 'plain', connectorUuid });
    expect(await waitForEnd(client, uuid)).toMatchObject({
      status: 'completed',
      announced: 251,
      read: 251,
      found: 250,
      newlyDiscovered: 250,
      repeated: 1,
      refused: 0,
      pages: 3,
      pagesRead: 3,
      stoppable: false,
      resumable: false,
    });
    const { certificates, totalItems } = await certificatesOf(uuid);
    expect([certificates.length, totalItems]).toEqual([250, 250]);
    expect(certificates[0]).toMatchObject({
      commonName: 'host1.example.com',
      issuerCommonName: 'Issuing CA 1',
      certificateContent: first!.base64Content,
      newlyDiscovered: true,
      processed: true,
    });
    const inventoryUuid = certificates[0]?.inventoryUuid ?? '';
    const certificate = await client.certificates.getCertificate({ params: { uuid: inventoryUuid } });
    expect(certificate).toMatchObject({ state: 'issued', fingerprint: certificates[0]?.fingerprint });
    const [metadata] = certificate.metadata ?? [];
    expect(metadata).toMatchObject({ sourceObjectType: 'discoveries', connectorUuid });
    expect(metadata?.items[0]).toMatchObject({ name: 'discoverySource', sourceObjects: [{ uuid, name: 'plain' }] });
    expect(metadata?.items[0]?.content?.map(({ data }) => data).toSorted()).toEqual(['10.0.0.0:443', '10.9.9.9:443']);
    const history = await client.certificates.getCertificateEventHistory({ params: { uuid: inventoryUuid } });
    expect(history.map(({ event, message }) => [event, message])).toContainEqual([
      'Certificate Discovered',
      'Found by discovery plain',
    ]);
  });

  it('adds nothing when it is repeated, and reports the differences', async () => {
    const results = make(30).map((result) => ({ ...result, meta: [sourceMetadata('a')] }));
    provider.shelves.set('again', { results: results.slice(0, 20) });
    expect(await run('again-1', 'again')).toMatchObject({ found: 20, newlyDiscovered: 20 });
    const changed = results
      .slice(5)
      .map((result, index) => (index === 0 ? { ...result, meta: [sourceMetadata('b')] } : result));
    provider.shelves.set('again', { results: changed });
    const second = await run('again-2', 'again');
    expect(second).toMatchObject({ status: 'completed', found: 25, newlyDiscovered: 10 });
    const difference = await client.discoveryRuns.getDiscoveryDifference({ params: { uuid: second.uuid }, query: {} });
    expect(difference).toMatchObject({ with: { name: 'again-1' }, new: 10, gone: 5, changed: 1, unchanged: 14 });
    expect(difference.totalItems).toBe(16);
    const gone = await client.discoveryRuns.getDiscoveryDifference({
      params: { uuid: second.uuid },
      query: { with: difference.with?.uuid, change: 'gone', itemsPerPage: 3 },
    });
    expect(gone.certificates.map(({ change }) => change)).toEqual(['gone', 'gone', 'gone']);
    expect([gone.totalItems, gone.totalPages]).toEqual([5, 2]);
    const known = await certificatesOf(second.uuid, { newlyDiscovered: false });
    expect(known.totalItems).toBe(15);
    expect(known.certificates.every(({ newlyDiscovered }) => !newlyDiscovered)).toBe(true);
  });

  it('stores unreadable results as findings with a reason, and imports all other results', async () => {
    const results = make(4);
    const bad = [
      { base64Content: 'AAAA' },
      { base64Content: Buffer.from('no certificate').toString('base64') },
      { base64Content: '' },
    ];
    const meta = [sourceMetadata('10.0.0.9:443')];
    provider.shelves.set('bad', {
      results: [results[0]!, ...bad.map((each) => ({ ...each, meta })), ...results.slice(1)],
    });
    const ended = await run('bad');
    expect(ended).toMatchObject({ status: 'warning', found: 4, refused: 3, read: 7 });
    expect(ended.message).toMatch(/^3 results could not be read/);
    const { findings, totalItems } = await client.discoveryRuns.listDiscoveryFindings({
      params: { uuid: ended.uuid },
      query: {},
    });
    expect(totalItems).toBe(3);
    expect(findings.map(({ page, place, providerId }) => [page, place, providerId])).toEqual([
      [1, 2, '1-2'],
      [1, 3, '1-3'],
      [1, 4, '1-4'],
    ]);
    expect(findings.every(({ reason }) => /\w.* \(Found at: 10\.0\.0\.9:443\)$/.test(reason))).toBe(true);
  });

  it("is not restarted if the platform rejects the provider's response", async () => {
    provider.shelves.set('rejected', { results: make(1) });
    const proxy = await startFaultProxy(provider.url);
    const behind = await registerProvider(client, proxy, 'shelves behind a proxy');
    for (const [name, fault] of [
      ['wrong format', { kind: 'answer', afterWork: true, status: 200, text: '{"uuid":5}' }],
      ['truncated', { kind: 'cut' }],
    ] as const) {
      proxy.inject('POST', '/discover', fault);
      const ended = await discover(client, { name, connectorUuid: behind, shelf: 'rejected' });
      expect(ended).toMatchObject({
        status: 'failed',
        message: expect.stringMatching(/the request is not repeated/),
      });
      expect(provider.begun.filter((each) => each === name)).toHaveLength(1);
      await client.discoveries.deleteDiscovery({ params: { uuid: ended.uuid } });
    }
    await proxy.close();
    await client.connectors.deleteConnector({ params: { uuid: behind } });
  });

  it('shows its results while running, can be stopped, and resumes where it stopped', async () => {
    provider.shelves.set('long', { results: make(3_000), delayMs: 120 });
    const uuid = await begin(client, { name: 'long', connectorUuid });
    const running = await waitUntil(client, uuid, ({ found }) => found > 0);
    expect(running).toMatchObject({ status: 'processing', phase: 'reading', pages: 30, stoppable: true });
    expect((await certificatesOf(uuid)).totalItems).toBeGreaterThanOrEqual(running.found);
    const stopped = await client.discoveryRuns.stopDiscovery({ params: { uuid } });
    expect(stopped).toMatchObject({ status: 'warning', phase: 'ended', resumable: true });
    expect(stopped.message).toMatch(/^Stopped by admin\. Results found so far are retained\.$/);
    expect(stopped.found).toBeLessThan(3_000);
    await client.discoveryRuns.resumeDiscovery({ params: { uuid } });
    expect(await waitForEnd(client, uuid)).toMatchObject({
      status: 'completed',
      found: 3_000,
      repeated: 0,
      read: 3_000,
    });
    await expect(client.discoveryRuns.resumeDiscovery({ params: { uuid } })).rejects.toMatchObject({ status: 422 });
    expect(provider.begun.filter((name) => name === 'long')).toHaveLength(1);
  });

  it('is deleted along with its rows but not its certificates, and its provider is notified', async () => {
    provider.shelves.set('deleted', { results: make(3) });
    const { uuid } = await run('deleted');
    const { certificates } = await certificatesOf(uuid);
    const [kept, orphan] = certificates.map(({ inventoryUuid = '' }) => ({ params: { uuid: inventoryUuid } }));
    await client.certificates.deleteCertificate(orphan!);
    expect((await certificatesOf(uuid)).certificates[1]).toMatchObject({
      certificateContent: certificates[1]?.certificateContent,
    });
    expect((await certificatesOf(uuid)).certificates[1]).not.toHaveProperty('inventoryUuid');
    await client.discoveries.deleteDiscovery({ params: { uuid } });
    await expect(client.discoveries.getDiscovery({ params: { uuid } })).rejects.toMatchObject({ status: 404 });
    expect(await client.certificates.getCertificate(kept!)).toMatchObject({ state: 'issued' });
    await expect.poll(() => provider.forgotten, { timeout: 15_000 }).toContain('deleted');
    await client.discoveries.bulkDeleteDiscovery({ body: [uuid] });
  });
});

describe('a new discovery', () => {
  const body = () => ({ name: 'asked', connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes('plain') });
  const attemptCreate = (changes: object) => client.discoveries.createDiscovery({ body: { ...body(), ...changes } });

  it('is rejected if its name already exists, its trigger or connector is unknown, or its kind or attributes are invalid', async () => {
    const unknown = crypto.randomUUID();
    await expect(attemptCreate({ name: 'plain' })).rejects.toMatchObject({ status: 400 });
    await expect(attemptCreate({ triggers: [unknown] })).rejects.toMatchObject({ status: 404 });
    await expect(attemptCreate({ connectorUuid: unknown })).rejects.toMatchObject({ status: 404 });
    await expect(attemptCreate({ kind: 'Other' })).rejects.toMatchObject({ status: 422 });
    await expect(attemptCreate({ attributes: [] })).rejects.toMatchObject({ status: 422 });
  });

  it('is listed, and can be searched by name under either field identifier', async () => {
    const findNames = async (fieldIdentifier: string, condition: 'EQUALS' | 'CONTAINS', value: unknown) =>
      (await list([{ fieldSource: 'property', fieldIdentifier, condition, value }])).discoveries.map(
        ({ name }) => name,
      );
    expect(await findNames('DISCOVERY_NAME', 'EQUALS', 'again-1')).toEqual(['again-1']);
    expect(await findNames('CKI_NAME', 'CONTAINS', 'again')).toEqual(['again-2', 'again-1']);
    expect(await findNames('DISCOVERY_TOTAL_CERT_DISCOVERED', 'EQUALS', 250)).toEqual(['plain']);
    expect(await findNames('DISCOVERY_STATUS', 'EQUALS', 'warning')).toEqual(['bad']);
    const [{ searchFieldData = [] } = {}] = await client.discoveries.getDiscoverySearchFields();
    expect(searchFieldData.map(({ fieldIdentifier }) => fieldIdentifier)).toContain('DISCOVERY_NAME');
    expect(
      searchFieldData.find(({ fieldIdentifier }) => fieldIdentifier === 'DISCOVERY_CONNECTOR_NAME')?.value,
    ).toEqual(['shelves']);
  });

  it('is returned with its attributes', async () => {
    const { discoveries } = await list([]);
    const detail = await client.discoveries.getDiscovery({ params: { uuid: discoveries.at(-1)?.uuid ?? '' } });
    expect(detail).toMatchObject({
      name: 'plain',
      connectorStatus: 'completed',
      connectorName: 'shelves',
      triggers: [],
    });
    expect(detail.attributes).toMatchObject([{ name: 'data_shelf', content: [{ data: 'plain' }] }]);
    expect(detail.connectorTotalCertificatesDiscovered).toBe(251);
  });
});
