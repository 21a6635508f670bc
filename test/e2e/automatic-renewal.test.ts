// Certificates in locations are renewed automatically if their RA profile enables it.
import type { Client } from '@signetry/client';
import type { AutomaticRenewal } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { rejectionOf } from './testing/certificates.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { defaultProfile } from './testing/profiles.ts';
import { Endpoint } from './testing/store-endpoint.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

const server = sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS });
const soon = { timeout: 20_000, interval: 100 };
let client: Client;
let shelves: StoreProvider;
let entityUuid: string;
let raProfileUuid: string;

const renewals = (): Promise<AutomaticRenewal[]> =>
  client.automaticRenewal.listAutomaticRenewals({ params: { raProfileUuid }, query: {} }).then((page) => page.renewals);
const setAutomatic = (isAutomatic: boolean) =>
  client.automaticRenewal.setAutomaticRenewal({ params: { raProfileUuid }, body: { automatic: isAutomatic } });

beforeAll(async () => {
  ({ client } = server);
  shelves = await startStoreProvider();
  const body = { name: 'renewing shelves', url: shelves.url, authType: 'none' as const };
  const { uuid: connectorUuid } = await client.connectors.createConnector({ body });
  const attributes = [formAttribute('data_host', 'shelf.example')];
  const entity = { name: 'renewing', connectorUuid, kind: KEY_STORE_KIND, attributes };
  entityUuid = (await client.entities.createEntityInstance({ body: entity })).uuid;
  ({ raProfileUuid } = await defaultProfile(client));
});

/** A location with a certificate that has a tenth of its validity period left. */
async function createLocation(name: string) {
  const attributes = [formAttribute('data_shelf', name), formAttribute('data_single', true)];
  const body = { name, attributes, enabled: true };
  const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
  const params = { entityUuid, locationUuid };
  const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', `CN=${name}.example`)];
  const request = { raProfileUuid, csrAttributes, issueAttributes: [] };
  const issued = await client.locations.issueCertificateToLocation({ params, body: request });
  const certificateUuid = issued.certificates[0]?.certificateUuid ?? '';
  await server.running.platform.database.query(
    `UPDATE certificate SET not_before = now() - interval '90 days', not_after = now() + interval '10 days'
     WHERE uuid = '${certificateUuid}'`,
  );
  return { params, certificateUuid };
}

const listInstalled = async (params: { entityUuid: string; locationUuid: string }) =>
  (await client.locations.getLocation({ params })).certificates.map((each) => each.certificateUuid);

describe('automatic renewal', () => {
  it('replaces the certificate in its location and is listed; if it is disabled, nothing happens', async () => {
    const { params, certificateUuid } = await createLocation('due');
    expect(await setAutomatic(false)).toEqual({ automatic: false, tokenKeys: false, paused: false });
    expect(await renewals()).toEqual([]);
    await setAutomatic(true);
    onTestFinished(() => setAutomatic(false).then(() => undefined));
    await vi.waitFor(
      async () => expect(await renewals()).toMatchObject([{ certificateUuid, state: 'renewed', attempts: 1 }]),
      soon,
    );
    const [renewal] = await renewals();
    expect(await listInstalled(params)).toEqual([renewal?.successorUuid]);
    // The successor has its full validity period ahead of it.
    await setAutomatic(true);
    await vi.waitFor(async () => expect(await renewals()).toHaveLength(1), soon);
  });

  it('is retried after a failure, with the reason shown', async () => {
    const { params, certificateUuid } = await createLocation('broken');
    shelves.refusePush = 'the shelf is broken';
    onTestFinished(() => void (shelves.refusePush = undefined));
    await setAutomatic(true);
    onTestFinished(() => setAutomatic(false).then(() => undefined));
    const failed = { certificateUuid, state: 'planned', attempts: 1, problem: expect.stringContaining('broken') };
    await vi.waitFor(async () => expect(await renewals()).toContainEqual(expect.objectContaining(failed)), soon);
    shelves.refusePush = undefined;
    await server.running.platform.database.query(
      `UPDATE renewal SET next_at = now() - interval '1 second' WHERE state = 'planned'`,
    );
    await setAutomatic(true);
    await vi.waitFor(
      async () => expect((await renewals()).find((each) => each.certificateUuid === certificateUuid)).toMatchObject({ state: 'renewed', attempts: 2 }), // prettier-ignore
      soon,
    );
    expect(await listInstalled(params)).not.toContain(certificateUuid);
  });

  it("keeps the certificate's names, regardless of what its location requests", async () => {
    const { params, certificateUuid } = await createLocation('greedy');
    shelves.furtherNames = ['bank.example'];
    onTestFinished(() => void (shelves.furtherNames = undefined));
    await setAutomatic(true);
    onTestFinished(() => setAutomatic(false).then(() => undefined));
    const problem = expect.stringMatching(/added dNSName:bank\.example.*Automatic renewal does not change names/);
    const refused = expect.objectContaining({ certificateUuid, state: 'planned', attempts: 1, problem });
    await vi.waitFor(async () => expect(await renewals()).toContainEqual(refused), soon);
    expect(await listInstalled(params)).toEqual([certificateUuid]);
  });

  it('restores the previous certificate if the new one is not served, and is retried', async () => {
    const { params, certificateUuid } = await createLocation('unserved');
    const endpoint = new Endpoint(shelves, 'unserved');
    const probe = { host: '127.0.0.1', port: await endpoint.listen(), timeoutSeconds: 1, restorePrevious: true };
    endpoint.reload();
    await client.locationDeployment.setLocationProbe({ params, body: probe });
    await setAutomatic(true);
    onTestFinished(() => setAutomatic(false).then(() => undefined));
    const again = { certificateUuid, state: 'planned', problem: expect.stringContaining('was not served') };
    await vi.waitFor(async () => expect(await renewals()).toContainEqual(expect.objectContaining(again)), soon);
    expect(await listInstalled(params)).toContain(certificateUuid);
  });

  it('is not repeated if the previous certificate cannot be restored right away', async () => {
    const { params, certificateUuid } = await createLocation('stuck');
    const endpoint = new Endpoint(shelves, 'stuck');
    const probe = { host: '127.0.0.1', port: await endpoint.listen(), timeoutSeconds: 1, restorePrevious: true };
    endpoint.reload();
    await client.locationDeployment.setLocationProbe({ params, body: probe });
    await setAutomatic(true);
    onTestFinished(() => setAutomatic(false).then(() => undefined));
    const findRenewal = async () => (await renewals()).find((each) => each.certificateUuid === certificateUuid);
    await vi.waitFor(async () => expect(await findRenewal()).toMatchObject({ state: 'renewed' }), soon);
    // A disabled location receives nothing, so the previous certificate waits.
    await client.locations.disableLocation({ params });
    await vi.waitFor(async () => expect(await findRenewal()).toMatchObject({ state: 'planned', attempts: 1 }), soon);
    const { certificates } = await client.locationDeployment.getLocationDeployment({ params });
    expect(certificates.find((each) => each.certificateUuid === certificateUuid)?.state).toBe('waiting');
    expect(Date.parse((await findRenewal())?.at ?? '')).toBeGreaterThan(Date.now());
  });
});

it('returns 404 if the RA profile does not exist', async () => {
  const params = { raProfileUuid: '0193f0a2-0000-7000-8000-000000000000' };
  expect(await rejectionOf(client.automaticRenewal.getAutomaticRenewal({ params }))).toMatchObject({ status: 404 });
  const body = { automatic: true, daysBefore: 0 };
  const set = client.automaticRenewal.setAutomaticRenewal({ params: { raProfileUuid }, body });
  expect((await rejectionOf(set)).status).toBe(400);
});
