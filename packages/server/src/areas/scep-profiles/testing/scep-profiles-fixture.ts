// Profiles of SCEP over a real database, with a fake authority and CA certificates that serve as a test says.
import { platformOperations, type Operation, type OperationAnswer } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isAnswer } from '../../../platform/http/routes.ts';
import type { Area, Platform } from '../../../platform/platform.ts';
import { noApprovals } from '../../approvals/testing/no-approvals.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createAuthoritiesArea } from '../../authorities/index.ts';
import { createConnectorsArea } from '../../connectors/index.ts';
import { createBreakableAudit } from '../../connectors/testing/breakable-audit.ts';
import { startFakeConnector } from '../../connectors/testing/fake-connector.ts';
import { createIdentityArea } from '../../identity/index.ts';
import { createRaProfilesArea } from '../../ra-profiles/index.ts';
import { createScepProfilesArea, type ScepProfileAreas } from '../index.ts';

export const ORIGIN = 'https://pki.test';
export const CA_UUID = '44444444-0000-7000-8000-00000000000a';

type Operations = typeof platformOperations;
type SigningCertificates = ScepProfileAreas['signingCertificates'];

interface CallInput {
  readonly params?: object;
  readonly body?: unknown;
}

export type ScepProfilesFixture = Awaited<ReturnType<typeof scepProfilesFixture>>;

/** The caller closes it. */
export async function scepProfilesFixture() {
  const database = await testDatabase();
  const clock = createFakeClock();
  /** Why a certificate cannot serve, by its identifier; it can where nothing is said. */
  const problems = new Map<string, string>();
  const uses: unknown[] = [];
  const platform = testPlatform(database, { clock });
  const node = createNode(platform, {
    list: async () => [],
    problemOf: async (uuid, use) => {
      uses.push(use);
      return problems.get(uuid);
    },
    present: async () => undefined,
  });
  const connector = await startFakeConnector();
  const connectorUuid = (
    await node.call('createConnector', { body: { name: 'authority', url: connector.url, authType: 'none' } })
  ).uuid;
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
    platform,
    problems,
    uses,
    authorityUuid,
    ...node,
    addRaProfile,
    addProfile: async (facts: object = {}) =>
      (await node.call('createScepProfile', { body: { name: profileName(), ...settings(), ...facts } })).uuid,
    detail: (uuid: string) => node.call('getScepProfile', { params: { uuid } }),
    edit: (uuid: string, facts: object = {}) =>
      node.call('editScepProfile', { params: { uuid }, body: { ...settings(), ...facts } }),
    close: async () => {
      await node.connectors.stop?.();
      await connector.close();
    },
  };
}

export const profileName = (): string => `scep-${newUuid()}`;

/** All that a profile needs but for its name. */
const settings = () => ({ caCertificateUuid: CA_UUID, issueCertificateAttributes: [] });

function createAreas(platform: Platform, signingCertificates: SigningCertificates) {
  const audit = createBreakableAudit(createAuditArea(platform).trail);
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
  const scepProfiles = createScepProfilesArea(platform, {
    audit,
    attributes,
    raProfiles,
    users: identity,
    signingCertificates,
    inventory: { registerSearchField: () => undefined },
    directoryBase: () => ORIGIN,
  });
  const areas: readonly Area[] = [connectors, authorities, raProfiles, scepProfiles];
  return { audit, connectors, scepProfiles, areas };
}

function createNode(platform: Platform, signingCertificates: SigningCertificates) {
  const node = createAreas(platform, signingCertificates);
  const routes = node.areas.flatMap((area) => area.routes ?? []);

  /** Calls an operation as the platform itself. */
  async function call<Key extends keyof Operations>(
    key: Key,
    { params = {}, body }: CallInput = {},
  ): Promise<OperationAnswer<Operations[Key]>> {
    const operation: Operation = platformOperations[key];
    const route = routes.find((each) => each.operation === operation);
    const context = { ...coreContext('test'), audit: operation.audit };
    const input = { params, query: {}, body: operation.body?.parse(body), context };
    const result: unknown = await route?.handle(input as never); // shaped by the operation
    return (isAnswer(result) ? result.body : result) as OperationAnswer<Operations[Key]>; // as the operation declares
  }

  return { ...node, call };
}
