// Renewals in locations that are rejected, whose node is killed, or whose provider responds late: the certificate in
// use stays in place until its successor is pushed, and the next operation takes over within seconds.
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { patience } from '@signetry/testkit/patience';
import { beforeAll, expect, it } from 'vitest';
import { rejectionOf } from './testing/certificates.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { defaultProfile } from './testing/profiles.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

/** Starting several nodes one after the other, and waiting for the leases of killed nodes. */
const TIMEOUT_MS = 240_000 * patience;
/** Measured from the end of a node; includes starting and executing the next operation. */
const TAKEN_OVER_MS = 12_000 * patience;
const SETTLED = { timeout: 45_000, interval: 200 };

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

async function addEntity(client: Client): Promise<string> {
  const body = { name: 'shelves', url: shelves.url, authType: 'none' as const };
  const { uuid: connectorUuid } = await client.connectors.createConnector({ body });
  const attributes = [formAttribute('data_host', 'shelf.example')];
  return (
    await client.entities.createEntityInstance({
      body: { name: 'shelves', connectorUuid, kind: KEY_STORE_KIND, attributes },
    })
  ).uuid;
}

/** Creates a location with a certificate under the alias `web`. */
async function createLocation(client: Client, entityUuid: string, name: string) {
  const attributes = [formAttribute('data_shelf', name), formAttribute('data_single', true)];
  const body = { name, attributes, enabled: true };
  const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
  const params = { entityUuid, locationUuid };
  const { raProfileUuid } = await defaultProfile(client);
  const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', `CN=${name}.example`)];
  const request = { raProfileUuid, csrAttributes, issueAttributes: [] };
  const issued = await client.locations.issueCertificateToLocation({ params, body: request });
  return { params, certificateUuid: issued.certificates[0]?.certificateUuid ?? '' };
}

type TestLocation = Awaited<ReturnType<typeof createLocation>>;

const renew = (client: Client, { params, certificateUuid }: TestLocation) =>
  client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid } });

const deploymentOf = (client: Client, { params }: TestLocation) =>
  client.locationDeployment.getLocationDeployment({ params });

const successorsOf = async ({ certificateUuid }: TestLocation): Promise<number> =>
  (await nodes.query('SELECT FROM certificate_relation WHERE predecessor_uuid = $1', [certificateUuid])).length;

it(
  'interrupted renewals keep the certificate in use, and are taken over by the next operation',
  { timeout: TIMEOUT_MS },
  async () => {
    const { client } = await startNode('whole');
    const entityUuid = await addEntity(client);
    for (const faultPoint of [
      'entities.afterRequest',
      'issue.afterIntent',
      'issue.afterRecord',
      'entities.afterPush',
    ]) {
      const name = faultPoint.replace('.', '-').toLowerCase();
      const held = await createLocation(client, entityUuid, name);
      const before = structuredClone(shelves.on(name));
      const dying = await startNode(name, faultPoint);
      const died = once(dying.child, 'exit');
      await expect(renew(dying.client, held)).rejects.toThrow();
      expect(await died).toContain('SIGKILL');
      const endedAt = Date.now();
      expect(shelves.on(name)).toHaveLength(1);
      if (faultPoint !== 'entities.afterPush') expect(shelves.on(name)).toEqual(before);
      await renew(client, held);
      expect(Date.now() - endedAt, `${faultPoint}: the next renewal`).toBeLessThan(TAKEN_OVER_MS);
      const states = async () => (await deploymentOf(client, held)).certificates.map(({ state }) => state);
      await expect.poll(states, SETTLED).toEqual(['installed']);
      expect(shelves.on(name), faultPoint).toEqual([{ ...before[0], certificate: expect.any(String) }]);
      expect(shelves.on(name)[0]?.certificate).not.toBe(before[0]?.certificate);
      expect(await successorsOf(held), faultPoint).toBe(1);
    }
  },
);

it(
  'rejected renewals do not request a key from the location, and remove nothing',
  { timeout: TIMEOUT_MS },
  async () => {
    const { client } = await startNode('rejecting');
    const entityUuid = (await client.entities.listEntityInstances({ body: {} })).entities[0]?.uuid ?? '';
    const held = await createLocation(client, entityUuid, 'rejected');
    const before = structuredClone(shelves.on('rejected'));
    const keys = shelves.keysMade();
    const profile = await defaultProfile(client);
    await client.raProfiles.disableRaProfile({ params: profile });
    expect(await rejectionOf(renew(client, held))).toMatchObject({ message: expect.stringContaining('disabled') });
    await client.raProfiles.enableRaProfile({ params: profile });
    expect([shelves.on('rejected'), shelves.keysMade()]).toEqual([before, keys]);
  },
);

it(
  'running renewals are shown as in progress, and concurrent callers get the resulting certificate',
  { timeout: TIMEOUT_MS },
  async () => {
    const { client } = await startNode('waiting');
    const entityUuid = (await client.entities.listEntityInstances({ body: {} })).entities[0]?.uuid ?? '';
    const held = await createLocation(client, entityUuid, 'late');
    const { promise, resolve } = Promise.withResolvers<void>();
    shelves.holdPush = promise;
    const first = renew(client, held);
    await expect.poll(async () => (await deploymentOf(client, held)).operation?.kind).toBe('renew');
    const others = [1, 2, 3, 4, 5].map(() => renew(client, held));
    shelves.holdPush = undefined;
    resolve();
    const answers = await Promise.all([first, ...others]);
    const there = answers.map(({ certificates }) => certificates.map(({ certificateUuid: uuid }) => uuid));
    expect(new Set(there.flat()).size).toBe(1);
    expect(await successorsOf(held)).toBe(1);
    expect((await deploymentOf(client, held)).operation).toBeUndefined();
  },
);
