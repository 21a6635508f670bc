// Profiles of EST over a real database, with a fake authority and an inventory that holds what a test says.
import { platformOperations, type Operation, type OperationAnswer } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isAnswer } from '../../../platform/http/routes.ts';
import type { Area, Platform } from '../../../platform/platform.ts';
import { noApprovals } from '../../approvals/testing/no-approvals.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createAuthoritiesArea } from '../../authorities/index.ts';
import { createConnectorsArea } from '../../connectors/index.ts';
import { startFakeConnector } from '../../connectors/testing/fake-connector.ts';
import { createIdentityArea } from '../../identity/index.ts';
import { createRaProfilesArea } from '../../ra-profiles/index.ts';
import { createEstProfilesArea, type EstProfileAreas } from '../index.ts';

export const ORIGIN = 'https://pki.test';
export const PASSWORD = 'correct horse battery';

type Operations = typeof platformOperations;

interface CallInput {
  readonly params?: object;
  readonly body?: unknown;
  /** Instead of the platform itself. */
  readonly actor?: RequestContext['actor'];
}

export type EstProfilesFixture = Awaited<ReturnType<typeof estProfilesFixture>>;

/** The caller closes it. */
export async function estProfilesFixture() {
  const database = await testDatabase();
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  /** Identifiers of the certificates of the inventory. */
  const inventory = new Set<string>();
  const node = createNode(platform, inventory);
  const connector = await startFakeConnector();
  const { uuid: connectorUuid } = await node.call('createConnector', {
    body: { name: 'authority', url: connector.url, authType: 'none' },
  });
  const authority = { name: 'authority', connectorUuid, kind: 'Fake', attributes: [] };
  const { uuid: authorityUuid } = await node.call('createAuthorityInstance', { body: authority });

  async function addRaProfile(): Promise<{ readonly uuid: string; readonly name: string }> {
    const name = `ra-${newUuid()}`;
    const body = { name, attributes: [], enabled: true };
    const { uuid } = await node.call('createRaProfile', { params: { authorityUuid }, body });
    return { uuid, name };
  }

  return {
    database,
    clock,
    inventory,
    authorityUuid,
    ...node,
    addRaProfile,
    /** The identifier and the name of a new profile. */
    async addProfile(facts: object = {}): Promise<{ readonly uuid: string; readonly name: string }> {
      const body = { name: `est-${newUuid()}`, ...facts };
      return { name: body.name, uuid: (await node.call('createEstProfile', { body })).uuid };
    },
    close: async () => {
      await node.connectors.stop?.();
      await connector.close();
    },
  };
}

/** It is only asked which certificates there are. */
const inventoryOf = (uuids: ReadonlySet<string>): EstProfileAreas['issuing'] =>
  ({
    protocols: {
      findByUuids: async (asked: readonly string[]) =>
        asked
          .map((uuid) => uuid.toLowerCase())
          .filter((uuid) => uuids.has(uuid))
          .map((uuid) => ({ uuid })),
    },
  }) as unknown as EstProfileAreas['issuing'];

function createAreas(platform: Platform, inventory: ReadonlySet<string>) {
  const { trail: audit } = createAuditArea(platform);
  const attributes = createAttributeEngine(platform);
  const identity = createIdentityArea(platform, {
    audit,
    attributes,
    userCertificates: () => {
      throw new Error('nobody signs in here');
    },
    objectNames: () => ({}),
    belongings: () => ({}),
  });
  const connectors = createConnectorsArea(platform, { audit, attributes });
  const authorities = createAuthoritiesArea(platform, { audit, attributes, connectors });
  const approvals = noApprovals;
  const raProfiles = createRaProfilesArea(platform, { audit, attributes, connectors, authorities, approvals });
  const estProfiles = createEstProfilesArea(platform, {
    audit,
    attributes,
    raProfiles,
    users: identity,
    issuing: inventoryOf(inventory),
    urlBase: () => ORIGIN,
  });
  const areas: readonly Area[] = [connectors, authorities, raProfiles, estProfiles];
  return { connectors, estProfiles, areas };
}

function createNode(platform: Platform, inventory: ReadonlySet<string>) {
  const node = createAreas(platform, inventory);
  const routes = node.areas.flatMap((area) => area.routes ?? []);

  /** Calls an operation as the platform itself, unless it says otherwise. */
  async function call<Key extends keyof Operations>(
    key: Key,
    { params = {}, body, actor }: CallInput = {},
  ): Promise<OperationAnswer<Operations[Key]>> {
    const operation: Operation = platformOperations[key];
    const route = routes.find((each) => each.operation === operation);
    const context = { ...coreContext('test'), audit: operation.audit, ...(actor && { actor }) };
    const input = { params, query: {}, body: operation.body?.parse(body), context };
    const result: unknown = await route?.handle(input as never); // shaped by the operation
    return (isAnswer(result) ? result.body : result) as OperationAnswer<Operations[Key]>; // as the operation declares
  }

  return { ...node, call };
}
