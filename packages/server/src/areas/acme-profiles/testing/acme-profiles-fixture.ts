// For ACME tests only: ACME profiles in a real database, with a fake authority, users and groups.
import type { RequestAttributeDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Route } from '../../../platform/http/routes.ts';
import type { Area, Platform } from '../../../platform/platform.ts';
import type { RegisteredField } from '../../certificates/index.ts';
import { CRL_URL, startFakeConnector, type FakeConnector } from '../../connectors/testing/fake-connector.ts';
import { createGroupsArea } from '../../groups/index.ts';
import {
  createLowerAreas,
  callerOf,
  ORIGIN as DIRECTORY_BASE,
} from '../../protocol-profiles/testing/profiles-fixture.ts';
import { createAcmeProfilesArea } from '../index.ts';

export { DIRECTORY_BASE };
/** User name of an enabled user. */
export const OWNER = 'owner';

export type AcmeProfilesFixture = Awaited<ReturnType<typeof acmeProfilesFixture>>;
export type AcmeProfilesNode = ReturnType<typeof createAreas>;

/** Returns the routes of areas above the profiles, if there are any. */
export type RoutesAbove = (platform: Platform, node: AcmeProfilesNode) => readonly Route[];

/** Creates the fixture; the caller must close it. */
export async function acmeProfilesFixture(above: RoutesAbove = () => []) {
  const database = await testDatabase();
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const node = createNode(platform, above);
  await node.identity.seed();
  await node.identity.ensureFirstAdministrator(OWNER);
  const owner = await node.identity.findUser(database.executor, { username: OWNER });
  const connector = await startFakeConnector();
  const others: ReturnType<typeof createNode>[] = [];

  const addConnector = async ({ url }: FakeConnector): Promise<string> => {
    const { uuid } = await node.call('createConnector', {
      body: { name: `connector ${newUuid()}`, url, authType: 'none' },
    });
    return uuid;
  };
  const connectorUuid = await addConnector(connector);

  async function addAuthority(at: string = connectorUuid): Promise<string> {
    const { uuid } = await node.call('createAuthorityInstance', {
      body: { name: `authority ${newUuid()}`, connectorUuid: at, kind: 'Fake', attributes: [] },
    });
    return uuid;
  }
  const authorityUuid = await addAuthority();

  async function addRaProfile(
    under: string = authorityUuid,
  ): Promise<{ readonly uuid: string; readonly name: string }> {
    const name = `ra-${newUuid()}`;
    const { uuid } = await node.call('createRaProfile', {
      params: { authorityUuid: under },
      body: { name, attributes: [], enabled: true },
    });
    return { uuid, name };
  }

  async function addProfile(facts: object = {}): Promise<string> {
    const { uuid } = await node.call('createAcmeProfile', { body: profileRequest(facts) });
    return uuid;
  }

  return {
    database,
    platform,
    clock,
    ...node,
    connector,
    connectorUuid,
    authorityUuid,
    ownerUuid: owner?.uuid ?? '',
    addConnector,
    addAuthority,
    addRaProfile,
    addProfile,
    audits: (uuid: string) => auditsOf(database, uuid),
    versionOf: (uuid: string) => versionOf(database, uuid),
    /** Adds a node with the same database and clock. */
    otherNode: () => {
      const other = createNode(testPlatform(database, { clock, sealer: platform.sealer }), above);
      others.push(other);
      return other;
    },
    async close() {
      for (const { connectors } of [node, ...others]) await connectors.stop?.();
      await connector.close();
    },
  };
}

/** Returns the operations recorded for an object, oldest first. */
async function auditsOf(database: Database, uuid: string): Promise<string[]> {
  const rows = await database.query<{ operation: string }>(
    'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
    [JSON.stringify([{ uuid }])],
  );
  return rows.map(({ operation }) => operation);
}

async function versionOf(database: Database, uuid: string): Promise<number> {
  const [row] = await database.query<{ version: number }>('SELECT version FROM acme_profile WHERE uuid = $1', [uuid]);
  return row?.version ?? 0;
}

function createAreas(platform: Platform) {
  const below = createLowerAreas(platform);
  const { audit, attributes, identity, users, connectors, raProfiles } = below;
  const groups = createGroupsArea(platform, { audit, attributes });
  const furtherFields: RegisteredField[] = [];
  const acmeProfiles = createAcmeProfilesArea(platform, {
    audit,
    attributes,
    raProfiles,
    users,
    inventory: { registerSearchField: (field) => void furtherFields.push(field) },
    directoryBase: () => DIRECTORY_BASE,
  });
  const areas: readonly Area[] = [groups, ...below.areas, acmeProfiles];
  return { audit, identity, connectors, raProfiles, acmeProfiles, furtherFields, areas };
}

function createNode(platform: Platform, above: RoutesAbove) {
  const node = createAreas(platform);
  return { ...node, call: callerOf([...node.areas, { routes: above(platform, node) }]) };
}

export const profileName = (): string => `acme-${newUuid()}`;

const profileRequest = (facts: object = {}): object => ({
  name: profileName(),
  issueCertificateAttributes: [],
  revokeCertificateAttributes: [],
  ...facts,
});

export const editRequest = (facts: object = {}): object => ({
  issueCertificateAttributes: [],
  revokeCertificateAttributes: [],
  ...facts,
});

/** Value of an attribute that the fake authority can require. */
export const crlUrl = (value: string): RequestAttributeDto => ({
  uuid: CRL_URL.uuid,
  name: CRL_URL.name,
  contentType: 'string',
  content: [{ data: value }],
});

/** Makes the fake authority define attributes for issue or revoke calls. */
export function defineAttributes(
  connector: FakeConnector,
  { purpose, definitions }: { readonly purpose: 'issue' | 'revoke'; readonly definitions: readonly object[] },
): void {
  connector.on(`GET /v2/authorityProvider/authorities/*/certificates/${purpose}/attributes`, {
    body: [...definitions],
  });
}
