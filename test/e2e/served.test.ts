// A renewal is complete once it is served: a location's endpoint is checked after a push, and the previous certificate
// is restored if the new one does not appear.
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import type { Client } from '@signetry/client';
import type { LocationProbe } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { historyOf, issue, rejectionOf } from './testing/certificates.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { Endpoint } from './testing/store-endpoint.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

const server = sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS });
let client: Client;
let shelves: StoreProvider;
let entityUuid: string;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  shelves = await startStoreProvider();
  const body = { name: 'served shelves', url: shelves.url, authType: 'none' as const };
  const { uuid: connectorUuid } = await client.connectors.createConnector({ body });
  const attributes = [formAttribute('data_host', 'shelf.example')];
  const entity = { name: 'served', connectorUuid, kind: KEY_STORE_KIND, attributes };
  entityUuid = (await client.entities.createEntityInstance({ body: entity })).uuid;
  path = await defaultProfile(client);
});

interface TestLocation {
  readonly params: { readonly entityUuid: string; readonly locationUuid: string };
  readonly endpoint: Endpoint;
  /** The certificate initially installed. */
  readonly certificateUuid: string;
}

const setProbe = (params: TestLocation['params'], port: number, more: Partial<LocationProbe> = {}) => {
  const probe = { host: '127.0.0.1', port, timeoutSeconds: 1, restorePrevious: true, ...more };
  return client.locationDeployment.setLocationProbe({ params, body: probe });
};

/** Creates a location with a certificate that is served. */
async function createLocation(name: string, more?: Partial<LocationProbe>): Promise<TestLocation> {
  const attributes = [formAttribute('data_shelf', name), formAttribute('data_single', true)];
  const body = { name, attributes, enabled: true };
  const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
  const params = { entityUuid, locationUuid };
  const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', `CN=${name}.example`)];
  const request = { raProfileUuid: path.raProfileUuid, csrAttributes, issueAttributes: [] };
  const issued = await client.locations.issueCertificateToLocation({ params, body: request });
  const endpoint = new Endpoint(shelves, name);
  const port = await endpoint.listen();
  endpoint.reload();
  await setProbe(params, port, more);
  return { params, endpoint, certificateUuid: issued.certificates[0]?.certificateUuid ?? '' };
}

const readDeployment = async ({ params }: TestLocation) => {
  const { certificates } = await client.locationDeployment.getLocationDeployment({ params });
  return Object.fromEntries(certificates.map(({ certificateUuid, ...facts }) => [certificateUuid, facts]));
};

/** Renews a location's certificate and returns the new one. */
async function renew({ params, certificateUuid }: TestLocation): Promise<string> {
  const before = new Set(
    (await client.locations.getLocation({ params })).certificates.map((each) => each.certificateUuid),
  );
  const { certificates } = await client.locations.renewCertificateInLocation({
    params: { ...params, certificateUuid },
  });
  return certificates.find((each) => !before.has(each.certificateUuid))?.certificateUuid ?? expect.fail('no successor');
}

const soon = { timeout: 15_000, interval: 50 };

describe('a certificate that is served', () => {
  it('is reported as served, and its predecessor is removed', async () => {
    const here = await createLocation('renewed', { timeoutSeconds: 30 });
    const renewed = await renew(here);
    expect(await readDeployment(here)).toMatchObject({
      [renewed]: { state: 'installed', replacedCertificateUuid: here.certificateUuid },
      [here.certificateUuid]: { state: 'replaced' },
    });
    // The endpoint still serves the predecessor.
    expect(await client.locationDeployment.probeLocation({ params: here.params })).toMatchObject({
      asExpected: false,
      addresses: [{ asExpected: false, chain: [{ certificateUuid: here.certificateUuid }] }],
    });
    here.endpoint.reload();
    await vi.waitFor(
      async () => expect(await readDeployment(here)).toEqual({ [renewed]: expect.objectContaining({ state: 'served', servedAt: expect.any(String) }) }), // prettier-ignore
      soon,
    );
    expect((await historyOf(client, renewed)).join('\n')).toMatch(/Served at 127\.0\.0\.1:\d+ from location renewed/);
    const { certificates } = await client.locations.getLocation({ params: here.params });
    expect(certificates).toMatchObject([{ certificateUuid: renewed }]);
  });

  it('stays served after the location is synchronized', async () => {
    const here = await createLocation('read-anew');
    const { asExpected } = await client.locationDeployment.probeLocation({ params: here.params });
    expect(asExpected).toBe(true);
    await client.locations.syncLocation({ params: here.params });
    expect(await readDeployment(here)).toMatchObject({ [here.certificateUuid]: { state: 'served' } });
  });

  it('is found on a server that prefers a different certificate, by offering only the algorithm of its key', async () => {
    const here = await createLocation('two-algorithms', { timeoutSeconds: 20 });
    const rsa = await makeRequest({ subject: 'CN=two-algorithms.example', keySpec: 'RSA-2048' });
    const other = await issue(client, path, rsa);
    const certificates = [
      shelves.on('two-algorithms')[0]?.certificate ?? '',
      Buffer.from(other.der).toString('base64'),
    ];
    const texts = certificates.map((text) => new X509Certificate(Buffer.from(text, 'base64')));
    const keys = [
      shelves.keyFor(texts[0]?.publicKey.export({ type: 'spki', format: 'der' }) ?? new Uint8Array()),
      String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ];
    const both = createServer({ cert: texts.map(String), key: keys });
    onTestFinished(() => void both.close());
    const { promise, resolve } = Promise.withResolvers<void>();
    both.listen(0, '127.0.0.1', resolve);
    await promise;
    await client.locations.removeCertificateFromLocation({
      params: { ...here.params, certificateUuid: here.certificateUuid },
    });
    await setProbe(here.params, (both.address() as AddressInfo).port, { timeoutSeconds: 20 });
    for (const certificateUuid of [here.certificateUuid, other.uuid]) {
      await client.locations.pushCertificate({ params: { ...here.params, certificateUuid }, body: { attributes: [] } });
      const served = { [certificateUuid]: { state: 'served' } };
      await vi.waitFor(async () => expect(await readDeployment(here)).toMatchObject(served), soon);
      await client.locations.removeCertificateFromLocation({ params: { ...here.params, certificateUuid } });
    }
  });
});

describe('a certificate that is not served', () => {
  it('is removed, its predecessor is restored and then checked, and both histories explain why', async () => {
    const here = await createLocation('never-reloaded');
    const before = shelves.on('never-reloaded')[0]?.certificate;
    const renewed = await renew(here);
    expect(shelves.on('never-reloaded')[0]?.certificate).not.toBe(before);
    await vi.waitFor(
      async () =>
        expect(await readDeployment(here)).toMatchObject({
          [renewed]: { state: 'notServed', problem: expect.stringMatching(/:\d+ serves never-reloaded\.example \(serial number/) }, // prettier-ignore
          [here.certificateUuid]: { state: 'served' },
        }),
      soon,
    );
    expect(shelves.on('never-reloaded')[0]?.certificate).toBe(before);
    expect((await historyOf(client, renewed)).join('\n')).toMatch(
      /FAILED: Not served from location never-reloaded within 1 s: .*is being restored/,
    );
    expect((await historyOf(client, here.certificateUuid)).join('\n')).toMatch(
      /Restored to location never-reloaded because/,
    );
    const again = await renew(here);
    here.endpoint.reload();
    await vi.waitFor(
      async () => expect(await readDeployment(here)).toMatchObject({ [again]: { state: 'served' } }),
      soon,
    );
  });

  it('is replaced by the certificate that it had replaced, even if it is not a renewal of that certificate', async () => {
    const here = await createLocation('given-back');
    const before = shelves.on('given-back')[0]?.certificate;
    const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', 'CN=instead.example')];
    const body = { raProfileUuid: path.raProfileUuid, csrAttributes, issueAttributes: [], replace: true };
    await client.locations.issueCertificateToLocation({ params: here.params, body });
    expect(shelves.on('given-back')[0]?.certificate).not.toBe(before);
    await vi.waitFor(
      async () => expect((await readDeployment(here))[here.certificateUuid]).toMatchObject({ state: 'served' }),
      soon,
    );
    expect(shelves.on('given-back')).toMatchObject([{ certificate: before }]);
    // The failure determines the state until a different certificate succeeds.
    expect((await client.locations.getLocation({ params: here.params })).state).toBe('notServed');
  });

  it('stays in place if restoring certificates is disabled', async () => {
    const here = await createLocation('kept', { restorePrevious: false });
    const renewed = await renew(here);
    await vi.waitFor(
      async () => expect(await readDeployment(here)).toMatchObject({ [renewed]: { state: 'notServed' } }),
      soon,
    );
    expect(Object.keys(await readDeployment(here))).toEqual([renewed]);
    here.endpoint.reload();
    const seen = await client.locationDeployment.probeLocation({ params: here.params });
    expect(seen).toMatchObject({ asExpected: true, problems: [], addresses: [{ address: '127.0.0.1' }] });
    expect(seen.addresses[0]?.chain[0]).toMatchObject({ subject: 'CN=kept.example', certificateUuid: renewed });
    expect(await readDeployment(here)).toMatchObject({ [renewed]: { state: 'served' } });
  });

  it('is no longer checked once the endpoint is removed', async () => {
    const here = await createLocation('no-endpoint', { timeoutSeconds: 60 });
    const renewed = await renew(here);
    await client.locationDeployment.removeLocationProbe({ params: here.params });
    expect(await readDeployment(here)).toEqual({ [renewed]: expect.objectContaining({ state: 'installed' }) });
    expect(await rejectionOf(client.locationDeployment.probeLocation({ params: here.params }))).toMatchObject({
      message: expect.stringContaining('Location no-endpoint has no endpoint.'),
    });
  });

  it('is reported with the reason if the endpoint does not respond', async () => {
    const here = await createLocation('silent');
    here.endpoint.close();
    const seen = await client.locationDeployment.probeLocation({ params: here.params });
    expect(seen).toEqual({ asExpected: false, addresses: [], problems: ['connection refused'] });
  });
});

it('a forbidden address is not contacted, and the response explains why', async () => {
  const here = await createLocation('elsewhere');
  await setProbe(here.params, 443, { host: '169.254.169.254' });
  const { problems } = await client.locationDeployment.probeLocation({ params: here.params });
  expect(problems).toEqual([expect.stringContaining('discoveryNetworks')]);
});

describe('a certificate renewed without specifying a location', () => {
  const issueInto = async (name: string) => {
    const attributes = [formAttribute('data_shelf', name), formAttribute('data_single', true)];
    const body = { name, attributes, enabled: true };
    const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
    const { uuid } = await issue(client, path, await makeRequest({ subject: `CN=${name}.example` }));
    const params = { entityUuid, locationUuid };
    await client.locations.pushCertificate({
      params: { ...params, certificateUuid: uuid },
      body: { attributes: [formAttribute('data_alias', 'kept-alias')] },
    });
    return { uuid, params };
  };
  const renewClient = (certificateUuid: string) =>
    client.clientOperations.renewCertificate({
      params: { ...path, certificateUuid },
      body: { replaceInLocations: true },
    });

  it('replaces the old certificate, with the same push attributes', async () => {
    const { uuid, params } = await issueInto('replaced');
    const { uuid: renewed } = await renewClient(uuid);
    const only = [
      { certificateUuid: renewed, pushAttributes: [{ name: 'data_alias', content: [{ data: 'kept-alias' }] }] },
    ];
    await vi.waitFor(
      async () => expect((await client.locations.getLocation({ params })).certificates).toMatchObject(only),
      soon,
    );
    expect(shelves.on('replaced')).toHaveLength(1);
  });

  it('does not replace the old certificate if the provider rejects the new one', async () => {
    const { uuid, params } = await issueInto('refused');
    shelves.refusePush = 'the shelf is broken';
    onTestFinished(() => void (shelves.refusePush = undefined));
    const { uuid: renewed } = await renewClient(uuid);
    await vi.waitFor(
      async () =>
        expect(await readDeployment({ params } as TestLocation)).toMatchObject({
          [renewed]: { state: 'failed', problem: expect.stringContaining('the shelf is broken') },
          [uuid]: { state: 'installed' },
        }),
      soon,
    );
  });
});
