// Entities on a database: a real connector on loopback, the real inventory, and fake endpoints.
import {
  entityInstanceOperations,
  locationDeploymentOperations,
  locationOperations,
  type Operation,
  type OperationResponse,
} from '@signetry/contract';
import { onFileFinished } from '@signetry/testkit/file-end';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isHandlerResponse } from '../../../platform/http/routes.ts';
import type { Area } from '../../../platform/platform.ts';
import { createLocationsPort } from '../../certificates/locations-port.ts';
import { createHeldCertificates } from '../../inventory/held-certificates.ts';
import { makeCertificate, makeRoot } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { createConnectorsArea } from '../../connectors/index.ts';
import { createProbing } from '../probing.ts';
import { createContents } from '../contents.ts';
import { createEntityAccess } from '../entity-access.ts';
import { createEntitiesArea } from '../index.ts';
import { createLocationTurns } from '../location-turns.ts';
import { createLocationValues } from '../location-values.ts';
import { createLocationService } from '../locations.ts';
import type { Endpoint, ProbeEndpoint, EndpointObservation } from '../ports.ts';
import { findHeld } from '../store.ts';
import { createUnfinishedPushes } from '../unfinished-pushes.ts';
import { formValue, KEY_STORE_KIND, startKeyStoreConnector } from './key-store-connector.ts';

const operations = { ...entityInstanceOperations, ...locationOperations, ...locationDeploymentOperations };
type Operations = typeof operations;
type Connectors = ReturnType<typeof createConnectorsArea>;

export interface Path {
  readonly entityUuid: string;
  readonly locationUuid: string;
}

interface CallInput {
  readonly params?: object;
  readonly body?: unknown;
  readonly context?: Partial<RequestContext>;
}

export type EntitiesFixture = Awaited<ReturnType<typeof createEntitiesFixture>>;

export async function createEntitiesFixture() {
  const shelves = await startKeyStoreConnector();
  const test = await createTestInventory();
  const { platform, attributes, audit, clock } = test;
  const { database } = platform;
  const connectors = createConnectorsArea(platform, { audit, attributes });
  onFileFinished(async () => {
    await connectors.stop?.();
    await shelves.connector.close();
  });
  const endpoints = fakeEndpoints();
  const node = createNode(test, connectors, endpoints.look);
  // Background loops of the area and of the events would otherwise run before those of a test.
  await node.area.stop?.();
  await platform.events.stop();
  const call = callerOf(node.area, test);
  const issuer = await makeRoot('Issuer');
  const connectorUuid = await createConnector(connectors, shelves.connector.url);

  const createEntity = async (name: string): Promise<string> => {
    const body = { name, connectorUuid, kind: KEY_STORE_KIND, attributes: [] };
    return (await call('createEntityInstance', { body })).uuid;
  };
  const entityUuid = await createEntity('web servers');

  return {
    test,
    database,
    clock,
    connectorUuid,
    entityUuid,
    endpoints,
    ...shelves,
    ...node,
    call,
    createEntity,
    /** Adds a location that is read immediately, for one certificate or several. */
    async addLocation(name: string, { single = false, entity = entityUuid } = {}): Promise<Path> {
      const attributesOfIt = [formValue('data_shelf', name), ...(single ? [formValue('data_single', true)] : [])];
      const body = { name, attributes: attributesOfIt, enabled: true };
      const { uuid: locationUuid } = await call('addLocation', { params: { entityUuid: entity }, body });
      return { entityUuid: entity, locationUuid };
    },
    /** Creates a certificate that the inventory does not have. */
    make: (name: string) => makeCertificate(name, { issuer }),
    async certificate(name: string) {
      const made = await makeCertificate(name, { issuer });
      return { ...made, uuid: await test.upload(made.der) };
    },
    push: (params: Path, certificateUuid: string, body: object = {}) =>
      call('pushCertificate', { params: { ...params, certificateUuid }, body: { attributes: [], ...body } }),
    held: ({ locationUuid }: Path) => findHeld(database.executor, [locationUuid]),
    /** Returns the states of the certificates in a location, including pending ones, by certificate. */
    states: async ({ locationUuid }: Path) => {
      const held = await findHeld(database.executor, [locationUuid]);
      return Object.fromEntries(held.map(({ certificate_uuid: uuid, state }) => [uuid, state]));
    },
    history: (certificateUuid: string) => historyOf(database, certificateUuid),
  };
}

/** Fake endpoints: the test sets the certificates that they serve; without any, the connection is refused. */
function fakeEndpoints() {
  const asked: { readonly endpoint: Endpoint; readonly keyAlgorithm: string | undefined }[] = [];
  const endpoints = { shown: [] as EndpointObservation['served'], asked };
  const look: ProbeEndpoint = async (endpoint, { keyAlgorithm }) => {
    asked.push({ endpoint, keyAlgorithm });
    const { shown: served } = endpoints;
    return { served, failures: served.length === 0 ? ['connection refused'] : [] };
  };
  return Object.assign(endpoints, { look });
}

/** The area, and a second set of its parts whose background loops the test runs itself. */
function createNode(
  { platform, attributes, audit, ...test }: TestInventory,
  connectors: Connectors,
  look: ProbeEndpoint,
) {
  // prettier-ignore
  const none = {} as never; // nothing is issued here
  const { inventory, oids } = test;
  const held = { platform, inventory, names: oids.names, issuing: none, raProfiles: none, keys: none };
  const certificates = createHeldCertificates(held);
  const area = createEntitiesArea(platform, {
    audit,
    attributes,
    connectors,
    // Registrations by the area are not used here.
    certificates: { assertVisible: async () => undefined, locations: createLocationsPort() },
    inventory: { held: certificates, registerSearchField: () => undefined },
    lookAtEndpoint: look,
  });
  const access = createEntityAccess(platform, { connectors });
  const values = createLocationValues(attributes);
  const contents = createContents(platform, { attributes, access, values, certificates });
  const shared = { platform, audit, attributes, access, values, contents, certificates };
  const locations = createLocationService(platform, shared);
  const turns = createLocationTurns({ platform, contents });
  const parts = { ...shared, locations, turns, arrived: () => undefined };
  return {
    area,
    parts,
    newUnfinished: () => createUnfinishedPushes(parts),
    newAsking: (restored: () => void = () => undefined) => createProbing({ ...parts, look, restored }),
  };
}

/** Calls operations as a client would, after authentication and parsing. */
function callerOf({ routes = [] }: Area, { context: own }: Pick<TestInventory, 'context'>) {
  return async function call<Key extends keyof Operations>(
    key: Key,
    { params = {}, body, context = {} }: CallInput = {},
  ): Promise<OperationResponse<Operations[Key]>> {
    const operation: Operation = operations[key];
    const route = routes.find((each) => each.operation === operation);
    const input = {
      params,
      query: {},
      body: operation.body?.parse(body),
      context: { ...own, requestId: newUuid(), audit: operation.audit, ...context },
    };
    const result: unknown = await route?.handle(input as never); // typed by the operation
    // as declared by the operation
    return (isHandlerResponse(result) ? result.body : result) as OperationResponse<Operations[Key]>;
  };
}

async function createConnector({ routes = [] }: Connectors, url: string): Promise<string> {
  const create = routes.find(({ operation }) => operation.id === 'createConnector');
  const body = { name: 'shelves', url, authType: 'none' };
  const audit = { module: 'core', resource: 'connectors', operation: 'create' } as const;
  const input = { params: {}, query: {}, body, context: { ...coreContext('test'), audit } };
  const answer = await create?.handle(input as never); // as accepted by the operation
  return (answer as { uuid: string }).uuid; // as declared by the operation
}

/** Returns the entries about locations in the history of a certificate. */
async function historyOf(database: Database, certificateUuid: string): Promise<string[]> {
  const rows = await database.query<{ status: string; message: string }>(
    `SELECT status, message FROM certificate_history
     WHERE certificate_uuid = $1 AND event = 'Update Location' ORDER BY created_at, uuid`,
    [certificateUuid],
  );
  return rows.map(({ status, message }) => `${status}: ${message}`);
}
