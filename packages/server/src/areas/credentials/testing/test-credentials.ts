// Shared fixture of the credential tests: the areas on their own database, and a connector over HTTP that offers
// credentials of the kind `Login` and authorities of the kind `Fake` whose attributes reference a credential.
import { platformOperations, type Operation, type RequestAttributeDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import {
  coreContext,
  noPermissions,
  type Actor,
  type PermissionSet,
  type RequestContext,
} from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Area } from '../../../platform/platform.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createAuthoritiesArea } from '../../authorities/index.ts';
import { createCallbacksArea } from '../../callbacks/index.ts';
import { createConnectorsArea, type ConnectorResponse } from '../../connectors/index.ts';
import { infoOf, startFakeConnector, type FakeConnector } from '../../connectors/testing/fake-connector.ts';
import { createCredentialsArea } from '../index.ts';

type Operations = typeof platformOperations;

const definition = (name: string, contentType: string, facts: object = {}) => ({
  version: 2,
  uuid: '33333333-0000-4000-8000-0000000000aa',
  name,
  type: 'data',
  contentType,
  properties: { label: name, visible: true, required: false, readOnly: false, list: false, multiSelect: false },
  ...facts,
});

const LOGIN = [definition('user', 'string'), definition('password', 'secret'), definition('keyStore', 'file')];

export const text = (name: string, data: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'string',
  content: [{ data }],
});
export const secret = (name: string, value?: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});
export const file = (name: string, content: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'file',
  content: [{ data: { content, fileName: 'store.p12', mimeType: 'application/x-pkcs12' } }],
});
export const credentialAttribute = (name: string, credentialUuid: string): RequestAttributeDto =>
  ({
    uuid: newUuid(),
    name,
    contentType: 'credential',
    content: [{ reference: 'login', data: { uuid: credentialUuid, name: 'login' } }],
  }) as RequestAttributeDto; // the name and identifier are enough from callers

/** A user with permissions on some credentials. */
export function userWith(
  ...credentials: { readonly uuid: string; readonly actions: readonly ('list' | 'detail')[] }[]
): Actor {
  const permissions: PermissionSet = {
    allowAllResources: false,
    resources: new Map([
      [
        'credentials',
        {
          allowAllActions: false,
          actions: new Set(),
          objects: new Map(
            credentials.map(({ uuid, actions }) => [uuid, { allowed: new Set(actions), denied: new Set() }]),
          ),
        },
      ],
    ]),
  };
  return { type: 'user', authMethod: 'token', userUuid: newUuid(), username: 'limited', permissions };
}
export const unprivilegedActor: Actor = { ...userWith(), permissions: noPermissions };

export type TestCredentials = Awaited<ReturnType<typeof createTestCredentials>>;

export async function createTestCredentials() {
  const database = await testDatabase();
  const platform = testPlatform(database, { clock: createFakeClock() });
  const audit = createAuditArea(platform).trail;
  const attributes = createAttributeEngine(platform);
  const connectors = createConnectorsArea(platform, { audit, attributes });
  const objectNames = () => Object.assign({}, ...areas.map((area) => area.objectNames));
  const credentials = createCredentialsArea(platform, { audit, attributes, connectors, objectNames });
  const callbacks = createCallbacksArea(platform, { attributes, connectors, credentials });
  const authorities = createAuthoritiesArea(platform, { audit, attributes, connectors });
  const areas: readonly Area[] = [connectors, credentials, callbacks, authorities];
  const fake = await startFakeConnector();
  offerCredentials(fake);

  /** Calls an operation as a client would, after authentication and parsing. */
  async function call<Key extends keyof Operations>(
    key: Key,
    input: { params?: object; body?: unknown; actor?: Actor } = {},
  ): Promise<ConnectorResponse<Operations[Key]>> {
    const operation: Operation = platformOperations[key];
    const route = areas.flatMap(({ routes = [] }) => routes).find((each) => each.operation === operation);
    const body = operation.body?.parse(input.body);
    const base = coreContext('test');
    const context: RequestContext = { ...base, audit: operation.audit, actor: input.actor ?? base.actor };
    return route?.handle({ params: input.params ?? {}, query: {}, body, context } as never) as Promise<
      ConnectorResponse<Operations[Key]>
    >; // typed by the operation
  }

  const connect = async (url = fake.url) =>
    (await call('createConnector', { body: { name: `connector ${newUuid()}`, url, authType: 'none' } })).uuid;
  const connectorUuid = await connect();

  return {
    database,
    connectors,
    callbacks,
    fake,
    call,
    connect,
    connectorUuid,
    async create(facts: object = {}): Promise<string> {
      const given = [text('user', 'me'), secret('password', 'canary-pw'), file('keyStore', 'Y2FuYXJ5LWtz')];
      const body = { name: `login ${newUuid()}`, kind: 'Login', connectorUuid, attributes: given, ...facts };
      return (await call('createCredential', { body })).uuid;
    },
    /** Creates an authority that references a credential. */
    createAuthority: async (credentialUuid: string, actor?: Actor, name = `authority ${newUuid()}`) => {
      const body = { name, kind: 'Fake', connectorUuid, attributes: [credentialAttribute('login', credentialUuid)] };
      return (await call('createAuthorityInstance', { body, ...(actor ? { actor } : {}) })).uuid;
    },
    audits: async (uuid: string) => {
      const rows = await database.query<{ operation: string }>(
        'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
        [JSON.stringify([{ uuid }])],
      );
      return rows.map(({ operation }) => operation);
    },
    async stop() {
      await connectors.stop?.();
      await fake.close();
    },
  };
}

function offerCredentials(fake: FakeConnector): void {
  fake.on('GET /v1', { body: [infoOf('credentialProvider', ['Login']), infoOf('authorityProvider', ['Fake'])] });
  fake.on('GET /v1/credentialProvider/Login/attributes', { body: LOGIN });
  fake.on('POST /v1/credentialProvider/Login/attributes/validate', {});
  fake.on('GET /v1/authorityProvider/Fake/attributes', { body: [definition('login', 'credential')] });
}
