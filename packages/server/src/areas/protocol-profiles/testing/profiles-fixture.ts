// For tests of protocol profiles: their dependencies, on a real database with a fake authority.
import { platformOperations, type Operation, type OperationResponse } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isHandlerResponse } from '../../../platform/http/routes.ts';
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
import type { SigningCertificates } from '../../signing-certificates/index.ts';

/** Start of the URLs in responses. */
export const ORIGIN = 'https://pki.test';

type Operations = typeof platformOperations;

export interface CallInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  /** Overrides the platform's own context. */
  readonly context?: Partial<RequestContext>;
}

/** Returns the areas below the profiles; those with operations are in `areas`. */
export function createLowerAreas(platform: Platform) {
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
  const areas: readonly Area[] = [connectors, authorities, raProfiles];
  return { audit, attributes, identity, users: identity, connectors, raProfiles, areas };
}

export type LowerAreas = ReturnType<typeof createLowerAreas>;

/** Calls operations as the platform itself, or as the actor of the specified context. */
export function callerOf(areas: readonly Pick<Area, 'routes'>[]) {
  const routes = areas.flatMap((area) => area.routes ?? []);
  return async function call<Key extends keyof Operations>(
    key: Key,
    { params = {}, query = {}, body, context = {} }: CallInput = {},
  ): Promise<OperationResponse<Operations[Key]>> {
    const operation: Operation = platformOperations[key];
    const route = routes.find((each) => each.operation === operation);
    const input = {
      params,
      query,
      body: operation.body?.parse(body),
      context: { ...coreContext('test'), audit: operation.audit, ...context },
    };
    const result: unknown = await route?.handle(input as never); // The operation determines the type.
    // As declared by the operation.
    return (isHandlerResponse(result) ? result.body : result) as OperationResponse<Operations[Key]>;
  };
}

/** Creates the profiles of one protocol on one node, with an authority. The caller closes it. */
export async function profilesFixture<Profiles extends Area>(
  createProfiles: (platform: Platform, below: LowerAreas) => Profiles,
) {
  const database = await testDatabase();
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const below = createLowerAreas(platform);
  const profiles = createProfiles(platform, below);
  const call = callerOf([...below.areas, profiles]);
  const connector = await startFakeConnector();
  const { uuid: connectorUuid } = await call('createConnector', {
    body: { name: 'authority', url: connector.url, authType: 'none' },
  });
  const authority = { name: 'authority', connectorUuid, kind: 'Fake', attributes: [] };
  const { uuid: authorityUuid } = await call('createAuthorityInstance', { body: authority });
  return {
    database,
    platform,
    clock,
    audit: below.audit,
    profiles,
    call,
    authorityUuid,
    async addRaProfile(): Promise<{ readonly uuid: string; readonly name: string }> {
      const name = `ra-${newUuid()}`;
      const body = { name, attributes: [], enabled: true };
      const { uuid } = await call('createRaProfile', { params: { authorityUuid }, body });
      return { uuid, name };
    },
    close: async () => {
      await below.connectors.stop?.();
      await connector.close();
    },
  };
}

/** Returns signing certificates that are usable as a test specifies. Each checked use is added to `uses`. */
export function signingCertificatesFor() {
  /** Reasons why certificates cannot be used, by UUID. Certificates without an entry can be used. */
  const problems = new Map<string, string>();
  const uses: unknown[] = [];
  const signingCertificates: Pick<SigningCertificates, 'list' | 'problemOf' | 'present'> = {
    list: async () => [],
    problemOf: async (uuid, use) => {
      uses.push(use);
      return problems.get(uuid);
    },
    present: async () => undefined,
  };
  return { problems, uses, signingCertificates };
}
