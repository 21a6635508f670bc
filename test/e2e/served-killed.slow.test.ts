// Nodes that are killed after a push and before the certificate is served: another node takes over, and nothing stays
// in progress forever.
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { beforeAll, expect, it } from 'vitest';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { defaultProfile } from './testing/profiles.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { Endpoint } from './testing/store-endpoint.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

/** Starting two nodes, and waiting for the killed node's lease. */
const TIMEOUT_MS = 180_000;
const TAKEN_OVER_MS = 45_000;

const nodes = createSharedDatabase();
const folder = temporaryFolder();
let shelves: StoreProvider;

beforeAll(async () => {
  shelves = await startStoreProvider();
});

const startNode = async (name: string, faultPoint?: string) =>
  startProgram({
    directory: join(folder, name),
    args: [...(await nodes.nodeArgs()), ...INFRASTRUCTURE_ARGUMENTS, '--https=off'],
    ...(faultPoint === undefined ? {} : { environment: { SIGNETRY_FAULT_POINT: faultPoint } }),
  });

/** Creates a location with a certificate that its endpoint serves. */
async function createLocation(client: Client, name: string, timeoutSeconds: number) {
  const connectors = await client.connectors.listConnectors({ query: {} });
  const known = connectors.find((connector) => connector.name === 'shelves')?.uuid;
  const body = { name: 'shelves', url: shelves.url, authType: 'none' as const };
  const connectorUuid = known ?? (await client.connectors.createConnector({ body })).uuid;
  const attributes = [formAttribute('data_host', 'shelf.example')];
  const entity = { name, connectorUuid, kind: KEY_STORE_KIND, attributes };
  const { uuid: entityUuid } = await client.entities.createEntityInstance({ body: entity });
  const onShelf = [formAttribute('data_shelf', name), formAttribute('data_single', true)];
  const location = { name, attributes: onShelf, enabled: true };
  const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body: location });
  const params = { entityUuid, locationUuid };
  const { raProfileUuid } = await defaultProfile(client);
  const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', `CN=${name}.example`)];
  const request = { raProfileUuid, csrAttributes, issueAttributes: [] };
  const issued = await client.locations.issueCertificateToLocation({ params, body: request });
  const endpoint = new Endpoint(shelves, name);
  const port = await endpoint.listen();
  endpoint.reload();
  const probe = { host: '127.0.0.1', port, timeoutSeconds, restorePrevious: true };
  await client.locationDeployment.setLocationProbe({ params, body: probe });
  return { params, endpoint, first: issued.certificates[0]?.certificateUuid ?? '' };
}

const statesOf = async (client: Client, params: { entityUuid: string; locationUuid: string }) =>
  (await client.locationDeployment.getLocationDeployment({ params })).certificates.map(({ state }) => state).toSorted();

it("a different node carries out the result of a killed node's check", { timeout: TIMEOUT_MS }, async () => {
  const dying = await startNode('dying', 'entities.afterVerdict');
  const { params, first } = await createLocation(dying.client, 'verdict', 1);
  const before = shelves.on('verdict')[0]?.certificate;
  const died = once(dying.child, 'exit');
  await dying.client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid: first } });
  expect(shelves.on('verdict')[0]?.certificate).not.toBe(before);
  expect(await died).toContain('SIGKILL');
  const { client } = await startNode('other');
  await expect.poll(() => statesOf(client, params), { timeout: TAKEN_OVER_MS }).toEqual(['notServed', 'served']);
  expect(shelves.on('verdict')[0]?.certificate).toBe(before);
});

it('an unrecorded push is detected in its location, and its endpoint is checked', { timeout: TIMEOUT_MS }, async () => {
  const { client } = await startNode('whole');
  const { params, endpoint, first } = await createLocation(client, 'unrecorded', 60);
  const dying = await startNode('dying-too', 'entities.afterPush');
  const died = once(dying.child, 'exit');
  const target = { params: { ...params, certificateUuid: first } };
  await expect(dying.client.locations.renewCertificateInLocation(target)).rejects.toThrow();
  expect(await died).toContain('SIGKILL');
  expect(await statesOf(client, params)).toEqual(['installed', 'pushing']);
  endpoint.reload();
  // As if the time limit of a push had passed.
  await nodes.query(`UPDATE location_certificate SET changed_at = changed_at - interval '6 minutes'`);
  await expect.poll(() => statesOf(client, params), { timeout: TAKEN_OVER_MS }).toEqual(['served']);
});

it("a different node takes over a killed node's outstanding checks", { timeout: TIMEOUT_MS }, async () => {
  const asking = await startNode('asking');
  const { params, endpoint, first } = await createLocation(asking.client, 'asked', 120);
  await asking.client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid: first } });
  const died = once(asking.child, 'exit');
  asking.child.kill('SIGKILL');
  await died;
  endpoint.reload();
  const { client } = await startNode('taking-over');
  await expect.poll(() => statesOf(client, params), { timeout: TAKEN_OVER_MS }).toEqual(['served']);
});
