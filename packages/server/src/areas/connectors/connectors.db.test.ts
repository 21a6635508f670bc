import {
  authorityProviderOperations,
  connectorBaseOperations as connectorBase,
  connectorManagementOperations,
  type RequestAttributeDto,
  type Operation,
} from '@signetry/contract';
import { handlersOf, rejected as connectorRejects, type Connector } from '@signetry/connector-sdk';
import { createFakeClock, testDatabase, testPlatform } from '@signetry/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { infoOf, PASSWORD, startFakeConnector, type FakeConnector } from './testing/fake-connector.ts';
import { createBreakableAudit, type BreakableAudit } from './testing/breakable-audit.ts';
import { createConnectorsArea, isOutcomeUnknown, type ConnectorAnswer } from './index.ts';

type Operations = typeof connectorManagementOperations;

let database: Database;
let platform: Platform;
let audit: BreakableAudit;
let area: ReturnType<typeof createConnectorsArea>;
let fake: FakeConnector;
const fakes: FakeConnector[] = [];

beforeAll(async () => {
  database = await testDatabase();
  platform = testPlatform(database, { clock: createFakeClock() });
  audit = createBreakableAudit(createAuditArea(platform).trail);
  area = newArea();
});
beforeEach(async () => {
  fake = await startFakeConnector();
  fakes.push(fake);
});
afterAll(async () => {
  await area.stop?.();
  await Promise.all(fakes.map((each) => each.close()));
});

const newArea = () =>
  createConnectorsArea(platform, {
    audit,
    attributes: createAttributeEngine(platform),
  });

/** Calls an operation as a client would, behind authentication and parsing. */
async function call<Key extends keyof Operations>(
  key: Key,
  input: { params?: object; query?: object; body?: unknown; signal?: AbortSignal } = {},
): Promise<ConnectorAnswer<Operations[Key]>> {
  const operation: Operation = connectorManagementOperations[key];
  const route = (area.routes ?? []).find((each: Route) => each.operation === operation);
  const body = operation.body?.parse(input.body);
  const context: RequestContext = {
    ...coreContext('test', input.signal),
    audit: operation.audit,
  };
  return route?.handle({ params: input.params ?? {}, query: input.query ?? {}, body, context } as never) as Promise<
    ConnectorAnswer<Operations[Key]>
  >; // shaped by the operation
}

const name = () => `connector ${newUuid()}`;
const create = async (facts: object = {}): Promise<string> => {
  const { uuid } = await call('createConnector', { body: { name: name(), url: fake.url, authType: 'none', ...facts } });
  return uuid;
};
const audits = (uuid: string) =>
  database.query<{ operation: string }>('SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb', [
    JSON.stringify([{ uuid }]),
  ]);
const text = (attribute: string, value: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: attribute,
  contentType: 'string',
  content: [{ data: value }],
});
const secret = (attribute: string, value?: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: attribute,
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});
const basic = (password?: string) => ({
  authType: 'basic',
  authAttributes: [text('username', 'user'), secret('password', password)],
});
const basicHeader = (password: string) => `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
const lastInfoCall = (connector = fake) => connector.callsTo('GET /v1').at(-1);

describe('creating a connector', () => {
  it('asks it what it offers, stores that and records it', async () => {
    const uuid = await create();
    const shown = (await call('listConnectors')).find((each) => each.uuid === uuid);
    expect(shown).toMatchObject({ url: fake.url, authType: 'none', status: 'connected', authAttributes: [] });
    expect(shown?.functionGroups).toMatchObject([
      {
        functionGroupCode: 'authorityProvider',
        name: 'Authority Provider',
        uuid: '736b0fd6-5ea0-4e10-abe7-cfed39cc2a1a',
        kinds: ['Fake'],
      },
    ]);
    expect(await audits(uuid)).toMatchObject([{ operation: 'create' }]);
  });

  it('refuses a taken name, also when two ask at once, and stores one', async () => {
    const taken = name();
    const outcomes = await Promise.allSettled([create({ name: taken }), create({ name: taken })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(create({ name: taken })).rejects.toMatchObject({ code: 'already_exists' });
  });

  it.each([
    ['it is down', async () => fake.close(), 'connector_unreachable'],
    ['it answers with an error', () => fake.on('GET /v1', { status: 500 }), 'connector_failed'],
    [
      'it answers with anything else than the interface says',
      () => fake.on('GET /v1', { body: { hello: 1 } }),
      'connector_failed',
    ],
    [
      'it lacks an endpoint',
      () => fake.on('GET /v1', { body: [{ ...infoOf('authorityProvider', ['Fake']), endPoints: [] }] }),
      'rejected_by_rules',
    ],
  ])('is refused when %s, and nothing is stored', async (_what, prepare, code) => {
    await prepare();
    const chosen = name();
    await expect(create({ name: chosen })).rejects.toMatchObject({ code });
    expect(await database.query('SELECT FROM connector WHERE name = $1', [chosen])).toEqual([]);
  });

  it.each([
    'builtin:software-authority',
    'ftp://127.0.0.1',
    'http://169.254.169.254/',
    'http://a:b@127.0.0.1',
    'http://127.0.0.1/?x=1',
    'nonsense',
  ])('refuses the URL %s', async (url) => {
    await expect(create({ url })).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('refuses custom attributes by name, since none is defined', async () => {
    await expect(create({ customAttributes: [text('costCentre', '1')] })).rejects.toThrow('costCentre');
  });
});

describe('authentication toward a connector', () => {
  it('by name and password is sent, shown without the password, and sealed in the database', async () => {
    const uuid = await create(basic('canary-pw'));
    expect(lastInfoCall()?.headers.authorization).toBe(basicHeader('canary-pw'));
    const shown = await call('getConnector', { params: { uuid } });
    expect(lastInfoCall()?.headers.authorization).toBe(basicHeader('canary-pw'));
    expect(shown.authAttributes).toMatchObject([
      { name: 'username', label: 'Username', content: [{ data: 'user' }] },
      { name: 'password', content: [{ data: {} }] },
    ]);
    const rows = await database.query<{ row: string }>('SELECT c::text AS row FROM connector c WHERE uuid = $1', [
      uuid,
    ]);
    for (const form of ['canary-pw', Buffer.from('canary-pw').toString('hex')])
      expect(rows[0]?.row).not.toContain(form);
  });

  it('by API key is sent in the header that was chosen', async () => {
    await create({ authType: 'apiKey', authAttributes: [text('apiKeyHeader', 'X-My-Key'), secret('apiKey', 'k1')] });
    expect(lastInfoCall()?.headers['x-my-key']).toBe('k1');
  });

  it.each([
    [
      'a header that carries the request',
      { authType: 'apiKey', authAttributes: [text('apiKeyHeader', 'Host'), secret('apiKey', 'k')] },
    ],
    [
      'a key with a line break',
      { authType: 'apiKey', authAttributes: [text('apiKeyHeader', 'X-K'), secret('apiKey', 'a\r\nb: c')] },
    ],
    ['missing attributes', { authType: 'basic', authAttributes: [text('username', 'user')] }],
    ['no attributes', { authType: 'basic' }],
    ['JSON Web Tokens', { authType: 'jwt' }],
    [
      'a key store that is none',
      {
        authType: 'certificate',
        authAttributes: [
          text('keyStoreType', 'PKCS12'),
          {
            uuid: newUuid(),
            name: 'keyStore',
            contentType: 'file',
            content: [{ data: { content: 'AQID', fileName: 'a.p12', mimeType: 'application/x-pkcs12' } }],
          },
          secret('keyStorePassword', 'x'),
        ],
      },
    ],
  ])('refuses %s', async (_what, facts) => {
    await expect(create(facts)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(fake.calls).toEqual([]);
  });

  it('keeps a password that an edit leaves out, toward the same address only', async () => {
    const uuid = await create(basic('first'));
    await call('editConnector', { params: { uuid }, body: basic() });
    expect(lastInfoCall()?.headers.authorization).toBe(basicHeader('first'));
    const thief = await startFakeConnector();
    fakes.push(thief);
    await expect(call('editConnector', { params: { uuid }, body: { url: thief.url } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    await expect(
      call('editConnector', { params: { uuid }, body: { url: thief.url, ...basic() } }),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(call('connectConnector', { body: { uuid, url: thief.url, ...basic() } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect(thief.calls).toEqual([]);
    await call('editConnector', { params: { uuid }, body: { url: thief.url, ...basic('second') } });
    expect(lastInfoCall(thief)?.headers.authorization).toBe(basicHeader('second'));
  });

  it('offers its types and their attributes', async () => {
    expect(await call('getAuthenticationTypes')).toEqual(['none', 'basic', 'certificate', 'apiKey', 'jwt']);
    expect((await call('getApiKeyAuthAttributes'))[0]).toMatchObject({
      name: 'apiKeyHeader',
      content: [{ data: 'X-API-KEY' }],
    });
    expect(await call('getJWTAuthAttributes')).toEqual([]);
    await expect(call('validateBasicAuthAttributes', { body: basic('x').authAttributes })).resolves.toBeUndefined();
    await expect(call('validateBasicAuthAttributes', { body: [] })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });
});

describe('a stored connector', () => {
  it('is asked when it is looked at: offline when it does not answer, connected when it does again', async () => {
    const uuid = await create();
    fake.on('GET /v1', 'reset');
    expect(await call('getConnector', { params: { uuid } })).toMatchObject({ status: 'offline', functionGroups: [] });
    expect((await call('listConnectors', { query: { status: 'offline' } })).map((each) => each.uuid)).toContain(uuid);
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Fake', 'New'])] });
    expect(await call('getConnector', { params: { uuid } })).toMatchObject({
      status: 'connected',
      functionGroups: [{ kinds: ['Fake', 'New'] }],
    });
  });

  it('keeps its status when the one who looks goes away', async () => {
    const uuid = await create();
    const caller = new AbortController();
    fake.on('GET /v1', () => {
      caller.abort();
      return 'hang';
    });
    await expect(call('getConnector', { params: { uuid }, signal: caller.signal })).rejects.toMatchObject({
      code: 'connector_unreachable',
    });
    expect(await database.query('SELECT status FROM connector WHERE uuid = $1', [uuid])).toEqual([
      { status: 'connected' },
    ]);
  });

  it('changes what is known of it when it is reconnected', async () => {
    const uuid = await create();
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Other']), infoOf('credentialProvider', ['Basic'])] });
    expect(await call('reconnectConnector', { params: { uuid } })).toHaveLength(2);
    const byKind = await call('listConnectors', { query: { functionGroup: 'authorityProvider', kind: 'Other' } });
    const found = byKind.find((each) => each.uuid === uuid);
    expect(found?.functionGroups).toMatchObject([{ functionGroupCode: 'authorityProvider' }]);
    await expect(call('bulkReconnectConnector', { body: [uuid] })).resolves.toBeUndefined();
    await expect(call('bulkReconnectConnector', { body: [newUuid()] })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('is reconnected beside one that hangs, which the answer tells of', async () => {
    const hanging = await startFakeConnector();
    fakes.push(hanging);
    const first = await create({ url: hanging.url });
    const second = await create();
    hanging.on('GET /v1', 'hang');
    const asked = fake.callsTo('GET /v1').length;
    const giveUp = new AbortController();
    const reconnecting = call('bulkReconnectConnector', { body: [first, second], signal: giveUp.signal });
    const refused = expect(reconnecting).rejects.toThrow(/^Connector connector /);
    await vi.waitFor(() => expect(fake.callsTo('GET /v1')).toHaveLength(asked + 1), { timeout: 5_000 });
    await vi.waitFor(async () => expect((await audits(second)).length).toBeGreaterThan(1), { timeout: 5_000 });
    giveUp.abort();
    await refused;
  });

  it('shows the attributes of its kinds and its health', async () => {
    const uuid = await create();
    const all = await call('getConnectorAttributesAll', { params: { uuid } });
    expect(all.authorityProvider?.Fake?.map((each) => each.name)).toEqual(['data_address', 'data_password']);
    const params = { uuid, functionGroup: 'authorityProvider', kind: 'Fake' };
    expect(await call('getConnectorAttributes', { params })).toHaveLength(2);
    await expect(call('getConnectorAttributes', { params: { ...params, kind: 'Unknown' } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    expect(await call('checkConnectorHealth', { params: { uuid } })).toEqual({
      status: 'ok',
      parts: { store: { status: 'ok' } },
    });
  });

  it('has values of attributes judged by the connector first, then by the platform', async () => {
    const uuid = await create();
    const params = { uuid, functionGroup: 'authorityProvider', kind: 'Fake' };
    const validate = (body: unknown) => call('validateConnectorAttributes', { params, body });
    await expect(validate([text('data_address', 'x')])).resolves.toBeUndefined();
    await expect(validate([text('data_unknown', 'x')])).rejects.toThrow('data_unknown');
    fake.on('POST /v1/authorityProvider/Fake/attributes/validate', {
      status: 422,
      body: ['the address does not exist'],
    });
    await expect(validate([text('data_address', 'x')])).rejects.toMatchObject({
      parameters: { problems: ['the address does not exist'] },
    });
    await expect(
      call('validateConnectorAttributes', { params: { ...params, functionGroup: 'entityProvider' }, body: [] }),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('is refused use while it waits for approval', async () => {
    const uuid = await create();
    await database.query("UPDATE connector SET status = 'waitingForApproval' WHERE uuid = $1", [uuid]);
    platform.clock.monotonicMs();
    await expect(newArea().client(uuid)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await call('getConnector', { params: { uuid } })).toMatchObject({ status: 'waitingForApproval' });
  });

  it('tells a call whose outcome is unknown from one that was certainly not carried out', async () => {
    const client = await area.client(await create());
    const issue = () =>
      client
        .call(authorityProviderOperations.issueCertificate, {
          params: { uuid: 'a' },
          body: { request: '', raProfileAttributes: [], attributes: [] },
        })
        .catch((error: unknown) => error);
    fake.on('POST /v2/authorityProvider/authorities/*/certificates/issue', 'reset');
    const broken = await issue();
    expect(broken).toMatchObject({ code: 'connector_unreachable' });
    expect(isOutcomeUnknown(broken)).toBe(true);
    await fake.close();
    const refused = await issue();
    expect(refused).toMatchObject({ code: 'connector_unreachable' });
    expect(isOutcomeUnknown(refused)).toBe(false);
  });

  it('shows what another node changed within five seconds', async () => {
    const other = newArea();
    const uuid = await create();
    expect((await other.facts(uuid)).functionGroups[0]?.kinds).toEqual(['Fake']);
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Changed'])] });
    await call('reconnectConnector', { params: { uuid } });
    (platform.clock as ReturnType<typeof createFakeClock>).advance(1_500); // the clock of this test
    expect((await other.facts(uuid)).functionGroups[0]?.kinds).toEqual(['Changed']);
    await other.stop?.();
  });
});

describe('a change whose audit record cannot be written', () => {
  it('does not happen', async () => {
    const uuid = await create(basic('pw'));
    const snapshot = () =>
      database.query(
        'SELECT c.*, g.* FROM connector c LEFT JOIN connector_function_group g ON g.connector_uuid = c.uuid ORDER BY c.uuid, g.code',
      );
    const before = await snapshot();
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Changed'])] });
    audit.isBroken = true;
    try {
      await expect(create()).rejects.toThrow('audit trail');
      await expect(call('editConnector', { params: { uuid }, body: { authType: 'none' } })).rejects.toThrow(
        'audit trail',
      );
      await expect(call('reconnectConnector', { params: { uuid } })).rejects.toThrow('audit trail');
      await expect(call('deleteConnector', { params: { uuid } })).rejects.toThrow('audit trail');
    } finally {
      audit.isBroken = false;
    }
    expect(await snapshot()).toEqual(before);
  });
});

describe('removing a connector', () => {
  it('is refused while something needs it, and detaches it by force', async () => {
    const detached: string[] = [];
    const needed = await create();
    area.registerDependants({
      what: 'Things',
      names: (_executor, uuid) => Promise.resolve(uuid === needed && detached.length === 0 ? ['one', 'two'] : []),
      detach: (_tx, uuid) => Promise.resolve(void detached.push(uuid)),
    });
    const free = await create();
    await expect(call('deleteConnector', { params: { uuid: needed } })).rejects.toMatchObject({
      parameters: { problems: ['Dependent Things (2): one, two'] },
    });
    expect(await call('bulkDeleteConnector', { body: [needed, free, newUuid()] })).toMatchObject([
      { uuid: needed, message: 'Dependent Things (2): one, two' },
    ]);
    expect(await database.query('SELECT FROM connector WHERE uuid = $1', [free])).toEqual([]);
    expect(await call('forceDeleteConnector', { body: [needed] })).toEqual([]);
    expect(detached).toEqual([needed]);
    await expect(call('getConnector', { params: { uuid: needed } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    expect((await audits(needed)).map(({ operation }) => operation)).toEqual(['create', 'forceDelete']);
  });

  it('of unknown identity is a refusal', async () => {
    await expect(call('deleteConnector', { params: { uuid: newUuid() } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });
});

describe('a built-in connector', () => {
  const failing = { problem: '' };
  const builtIn: Connector = {
    name: 'test-builtin',
    functionGroups: [{ code: 'credentialProvider', kinds: ['Test'], features: ['idempotency'] }],
    migrations: [{ name: '1', sql: (schema) => `CREATE TABLE ${schema}.note (text text NOT NULL)` }],
    create: ({ storage }) => ({
      handlers: handlersOf(connectorBase, {
        listAttributeDefinitions: () => [PASSWORD as never], // a definition of the fake connector
        validateAttributes: async ({ body }) => {
          if (failing.problem === 'crash') throw new Error('a fault that must not be shown');
          if (failing.problem !== '') throw connectorRejects(failing.problem);
          await storage.query(`INSERT INTO ${storage.table('note')} VALUES ($1)`, [String(body.length)]);
          return undefined;
        },
      }),
    }),
  };

  it('gets tables of its own and one row, which a second start leaves as it is', async () => {
    const uuid = await area.registerBuiltIn(builtIn);
    const before = await database.query(
      'SELECT c.*, g.*, g.xmin::text AS version FROM connector c JOIN connector_function_group g ON g.connector_uuid = c.uuid WHERE c.uuid = $1',
      [uuid],
    );
    expect(await newArea().registerBuiltIn(builtIn)).toBe(uuid);
    expect(
      await database.query(
        'SELECT c.*, g.*, g.xmin::text AS version FROM connector c JOIN connector_function_group g ON g.connector_uuid = c.uuid WHERE c.uuid = $1',
        [uuid],
      ),
    ).toEqual(before);
    expect(await call('getConnector', { params: { uuid } })).toMatchObject({
      name: 'test-builtin',
      url: 'builtin:test-builtin',
      status: 'connected',
      functionGroups: [{ kinds: ['Test'] }],
    });
    expect(await audits(uuid)).toMatchObject([{ operation: 'create' }]);
  });

  it('is called like any other, with the same refusals', async () => {
    const uuid = await area.registerBuiltIn(builtIn);
    const validate = () =>
      call('validateConnectorAttributes', {
        params: { uuid, functionGroup: 'credentialProvider', kind: 'Test' },
        body: [secret('data_password', 'x')],
      });
    await validate();
    expect(await database.query('SELECT text FROM connector_test_builtin.note')).toEqual([{ text: '1' }]);
    failing.problem = 'not this one';
    await expect(validate()).rejects.toMatchObject({
      code: 'rejected_by_rules',
      parameters: { problems: ['not this one'] },
    });
    failing.problem = 'crash';
    const crashed = await validate().catch((error: unknown) => error);
    expect(crashed).toMatchObject({ code: 'connector_failed' });
    expect(String(crashed)).not.toContain('must not be shown');
    failing.problem = '';
  });

  it('can be neither removed nor edited', async () => {
    const uuid = await area.registerBuiltIn(builtIn);
    await expect(call('deleteConnector', { params: { uuid } })).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await call('forceDeleteConnector', { body: [uuid] })).toMatchObject([{ uuid, name: 'test-builtin' }]);
    await expect(call('editConnector', { params: { uuid }, body: { url: fake.url } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });
});
