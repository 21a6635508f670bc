// For tests of this area only: tokens and their profiles over a real database, with a fake cryptography provider that
// keeps its tokens in memory and records its requests.
import {
  connectorManagementOperations,
  tokenInstanceOperations,
  tokenProfileOperations,
  TRANSIENT_SECRETS_FEATURE,
  type Operation,
  type OperationResponse,
  type RequestAttributeDto,
  type TokenInstanceStatus,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isHandlerResponse } from '../../../platform/http/routes.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createBreakableAudit } from '../../connectors/testing/breakable-audit.ts';
import { infoOf, startFakeConnector, type FakeConnector } from '../../connectors/testing/fake-connector.ts';
import { createConnectorsArea } from '../../connectors/index.ts';
import { createTokensArea } from '../index.ts';

const operations = { ...tokenInstanceOperations, ...tokenProfileOperations, ...connectorManagementOperations };
type Operations = typeof operations;

export const KIND = 'SOFT';
export const TOKENS = '/v1/cryptographyProvider/tokens';
export const CODE = 'canary-activation-code';

export interface FakeProvider extends FakeConnector {
  /** Status of each existing token, by the provider's ID. */
  readonly tokens: Map<string, TokenInstanceStatus>;
}

export interface CallInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly context?: Partial<RequestContext>;
}

export type TokensFixture = Awaited<ReturnType<typeof tokensFixture>>;

/** The caller must close it. */
export async function tokensFixture() {
  const database = await testDatabase();
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const audit = createBreakableAudit(createAuditArea(platform).trail);
  const attributes = createAttributeEngine(platform);
  const connectors = createConnectorsArea(platform, { audit, attributes });
  const area = createTokensArea(platform, { audit, attributes, connectors });
  const routes = [...(connectors.routes ?? []), ...(area.routes ?? [])];
  const providers: FakeProvider[] = [];

  /** Calls an operation as the platform itself, or as the actor in the context. */
  async function call<Key extends keyof Operations>(
    key: Key,
    { params = {}, query = {}, body, context = {} }: CallInput = {},
  ): Promise<OperationResponse<Operations[Key]>> {
    const operation: Operation = operations[key];
    const route = routes.find((each) => each.operation === operation);
    const whole = { ...coreContext('test'), audit: operation.audit, ...context };
    const input = { params, query, body: operation.body?.parse(body), context: whole };
    const result: unknown = await route?.handle(input as never); // Shaped by the operation.
    // As declared by the operation.
    return (isHandlerResponse(result) ? result.body : result) as OperationResponse<Operations[Key]>;
  }

  /** Adds a provider with its connector. With `needsSecrets`, it receives the secrets of a token with every change. */
  async function addProvider({ needsSecrets = false } = {}) {
    const provider = await startFakeProvider(needsSecrets ? [] : [TRANSIENT_SECRETS_FEATURE]);
    providers.push(provider);
    const name = `provider ${newUuid()}`;
    const { uuid } = await call('createConnector', { body: { name, url: provider.url, authType: 'none' } });
    return { provider, connectorUuid: uuid, connectorName: name };
  }

  const addToken = (connectorUuid: string, facts: object = {}) =>
    call('createTokenInstance', { body: tokenRequest(connectorUuid, facts) });

  async function audits(uuid: string) {
    const rows = await database.query<{ operation: string }>(
      'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
      [JSON.stringify([{ uuid }])],
    );
    return rows.map(({ operation }) => operation);
  }

  const close = async () => {
    await connectors.stop?.();
    await Promise.all(providers.map((each) => each.close()));
  };
  return { database, clock, audit, connectors, area, call, addProvider, addToken, audits, close };
}

export const tokenRequest = (connectorUuid: string, facts: object = {}) => ({
  name: `token ${newUuid()}`,
  kind: KIND,
  connectorUuid,
  customAttributes: [],
  attributes: [text('data_slot', '7'), secret('data_code', CODE)],
  ...facts,
});

export const text = (name: string, data: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'string',
  content: [{ data }],
});

/** Without a value, it is sent empty, which keeps the stored one. */
export const secret = (name: string, value?: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});

const definition = (name: string, contentType: string) => ({
  version: 2,
  uuid: newUuid(),
  name,
  type: 'data',
  contentType,
  properties: { label: name, visible: true, required: false, readOnly: false, list: false, multiSelect: false },
});

async function startFakeProvider(features: string[]): Promise<FakeProvider> {
  const fake = await startFakeConnector();
  const tokens = new Map<string, TokenInstanceStatus>();
  const idOf = (path: string): string => path.split('/')[4] ?? '';
  const gone = { status: 404, body: { message: 'no such token' } };
  fake.on('GET /v1', { body: [infoOf('cryptographyProvider', [KIND], features)] });
  fake.on(`GET /v1/cryptographyProvider/${KIND}/attributes`, {
    body: [definition('data_slot', 'string'), definition('data_code', 'secret')],
  });
  fake.on(`POST /v1/cryptographyProvider/${KIND}/attributes/validate`, {});
  fake.on(`POST ${TOKENS}`, ({ body }) => {
    const { name } = body as { name: string }; // The platform sends one.
    const uuid = newUuid();
    tokens.set(uuid, 'Activated');
    return { body: { uuid, name } };
  });
  fake.on(`POST ${TOKENS}/*`, ({ path }) =>
    tokens.has(idOf(path)) ? { body: { uuid: idOf(path), name: 'x' } } : gone,
  );
  fake.on(`DELETE ${TOKENS}/*`, ({ path }) => (tokens.delete(idOf(path)) ? { status: 204 } : gone));
  fake.on(`GET ${TOKENS}/*/status`, ({ path }) => {
    const status = tokens.get(idOf(path));
    return status === undefined ? gone : { body: { status } };
  });
  const respondWithStatus = (status: TokenInstanceStatus) =>
    fake.on(`PATCH ${TOKENS}/*/${status === 'Activated' ? 'activate' : 'deactivate'}`, ({ path }) => {
      tokens.set(idOf(path), status);
      return { status: 204 };
    });
  respondWithStatus('Activated');
  respondWithStatus('Deactivated');
  for (const [form, name] of [['activate', 'data_code'], ['tokenProfile', 'data_pin']] as const) {
    fake.on(`GET ${TOKENS}/*/${form}/attributes`, { body: [definition(name, 'secret'), definition('data_mode', 'string')] });
    fake.on(`POST ${TOKENS}/*/${form}/attributes/validate`, {});
  } // prettier-ignore
  return { ...fake, tokens };
}
