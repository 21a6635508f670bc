// An entity with a location on a shelf, a discovery that finds nothing, a job that starts such discoveries, and a
// notification instance, for operations that name them.
import type { RequestAttributeDto } from '@signetry/contract';
import type { TestServer } from '@signetry/testkit/platform';
import { expect } from 'vitest';
import { roomAttributes, NOTIFIER_KIND, startNotifier } from './notifier.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider } from './store-provider.ts';

/** Arguments of a server that can connect to the shelves and scan this machine. */
export const INFRASTRUCTURE_ARGUMENTS = ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.1/32'];

export async function makeInfrastructure(client: TestServer['client']) {
  const shelves = await startStoreProvider();
  const { uuid: shelvesUuid } = await client.connectors.createConnector({
    body: { name: 'shelves', url: shelves.url, authType: 'none' },
  });
  const body = { name: 'matrix', connectorUuid: shelvesUuid, kind: KEY_STORE_KIND, attributes: hostAttributes };
  const { uuid: entityUuid } = await client.entities.createEntityInstance({ body });
  const { uuid: locationUuid } = await client.locations.addLocation({
    params: { entityUuid },
    body: { name: 'matrix', attributes: storeAttributes('matrix'), enabled: true },
  });
  const scan = await scanOfClosedPort(client);
  const { uuid: discoveryUuid } = await client.discoveries.createDiscovery({ body: { name: 'matrix', ...scan } });
  const { uuid: jobUuid } = await client.discoveries.scheduleDiscovery({
    body: { jobName: 'matrix', cronExpression: '0 0 0 1 1 ?', request: { name: 'by the matrix', ...scan } },
  });
  const { scheduledJobs } = await client.scheduledJobs.listScheduledJobs({ query: {} });
  const platformJobUuid = scheduledJobs.find(({ system }) => system)?.uuid ?? expect.fail('no job on the platform');
  const notifying = await makeNotifications(client);
  return {
    platformJobUuid,
    notifierUuid: notifying.notifierUuid,
    shelvesUuid,
    discoveryUuid,
    scan,
    inPaths: { entityUuid, locationUuid },
    ofResource: {
      entities: entityUuid,
      locations: locationUuid,
      discoveries: discoveryUuid,
      jobs: jobUuid,
      ...notifying.ofResource,
    },
  };
}

/** Creates an instance of a notification provider, and a profile that does not use it. */
async function makeNotifications(client: TestServer['client']) {
  const { url } = await startNotifier();
  const { uuid: notifierUuid } = await client.connectors.createConnector({
    body: { name: 'notifier', url, authType: 'none' },
  });
  const instance = { name: 'matrix', connectorUuid: notifierUuid, kind: NOTIFIER_KIND, attributes: roomAttributes };
  const { uuid: notificationInstances } = await client.notificationInstances.createNotificationInstance({
    body: instance,
  });
  const profile = { name: 'matrix', recipientType: 'owner' as const, internalNotification: true };
  const { uuid: notificationProfiles } = await client.notificationProfiles.createNotificationProfile({ body: profile });
  return { notifierUuid, ofResource: { notificationInstances, notificationProfiles } };
}

export const hostAttributes: RequestAttributeDto[] = [formAttribute('data_host', 'matrix.example')];
export const storeAttributes = (name: string): RequestAttributeDto[] => [formAttribute('data_shelf', name)];
export const inPlaceKeyAttributes: RequestAttributeDto[] = [
  formAttribute('data_alias', 'matrix'),
  formAttribute('data_subject', 'CN=in-place.matrix.example'),
];

async function scanOfClosedPort(client: TestServer['client']) {
  const connectors = await client.connectors.listConnectors({ query: { functionGroup: 'discoveryProvider' } });
  const connectorUuid = connectors.find(({ name }) => name === 'network-discovery')?.uuid ?? expect.fail('no scanner');
  const kind = 'IP-Hostname';
  const params = { uuid: connectorUuid, functionGroup: 'discoveryProvider', kind } as const;
  const form = await client.connectors.getConnectorAttributes({ params });
  const valueOf = (name: string, data: string): RequestAttributeDto => {
    const uuid = form.find((field) => field.name === name)?.uuid ?? expect.fail(`no field ${name}`);
    return { uuid, name, contentType: 'string', content: [{ data }] };
  };
  return { connectorUuid, kind, attributes: [valueOf('ip', '127.0.0.1'), valueOf('port', '1')] };
}
