// The lifecycle of a connector, from creation to deletion.
import { authorityProviderOperations, cryptographyProviderOperations } from '@signetry/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { isOutcomeUnknown } from './index.ts';
import { infoOf, type FakeConnector } from './testing/fake-connector.ts';
import {
  basic,
  createTestConnectors,
  newFakeConnector,
  newName,
  text,
  type TestConnectors,
} from './testing/test-connectors.ts';

let test: TestConnectors;
let fake: FakeConnector;

beforeAll(async () => {
  test = await createTestConnectors();
});
beforeEach(async () => {
  fake = await newFakeConnector();
});
afterAll(() => test.area.stop?.());

const create = (facts: object = {}): Promise<string> => test.create({ url: fake.url, ...facts });

describe('creating a connector', () => {
  it('requests its function groups, stores them and records the operation', async () => {
    const uuid = await create();
    const shown = (await test.call('listConnectors')).find((each) => each.uuid === uuid);
    expect(shown).toMatchObject({ url: fake.url, authType: 'none', status: 'connected', authAttributes: [] });
    expect(shown?.functionGroups).toMatchObject([
      {
        functionGroupCode: 'authorityProvider',
        name: 'Authority Provider',
        uuid: '736b0fd6-5ea0-4e10-abe7-cfed39cc2a1a',
        kinds: ['Fake'],
      },
    ]);
    expect(await test.audits(uuid)).toMatchObject([{ operation: 'create' }]);
  });

  it('rejects a name that is already in use, and stores only one of two concurrent requests', async () => {
    const taken = newName();
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
  ])('is rejected when %s, and nothing is stored', async (_what, prepare, code) => {
    await prepare();
    const chosen = newName();
    await expect(create({ name: chosen })).rejects.toMatchObject({ code });
    expect(await test.database.query('SELECT FROM connector WHERE name = $1', [chosen])).toEqual([]);
  });

  it.each([
    'builtin:software-authority',
    'ftp://127.0.0.1',
    'http://169.254.169.254/',
    'http://a:b@127.0.0.1',
    'http://127.0.0.1/?x=1',
    'nonsense',
  ])('rejects the URL %s', async (url) => {
    await expect(create({ url })).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('rejects custom attributes with an error that names them, since none are defined', async () => {
    await expect(create({ customAttributes: [text('costCentre', '1')] })).rejects.toThrow('costCentre');
  });
});

describe('a stored connector', () => {
  it('is checked when it is retrieved: it is offline if it does not respond, and connected when it responds again', async () => {
    const uuid = await create();
    fake.on('GET /v1', 'reset');
    expect(await test.call('getConnector', { params: { uuid } })).toMatchObject({
      status: 'offline',
      functionGroups: [],
    });
    expect((await test.call('listConnectors', { query: { status: 'offline' } })).map((each) => each.uuid)).toContain(
      uuid,
    );
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Fake', 'New'])] });
    expect(await test.call('getConnector', { params: { uuid } })).toMatchObject({
      status: 'connected',
      functionGroups: [{ kinds: ['Fake', 'New'] }],
    });
  });

  it('keeps its status if the caller aborts the request', async () => {
    const uuid = await create();
    const caller = new AbortController();
    fake.on('GET /v1', () => {
      caller.abort();
      return 'hang';
    });
    await expect(test.call('getConnector', { params: { uuid }, signal: caller.signal })).rejects.toMatchObject({
      code: 'connector_unreachable',
    });
    expect(await test.database.query('SELECT status FROM connector WHERE uuid = $1', [uuid])).toEqual([
      { status: 'connected' },
    ]);
  });

  it('updates its function groups when it is reconnected', async () => {
    const uuid = await create();
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Other']), infoOf('credentialProvider', ['Basic'])] });
    expect(await test.call('reconnectConnector', { params: { uuid } })).toHaveLength(2);
    const byKind = await test.call('listConnectors', { query: { functionGroup: 'authorityProvider', kind: 'Other' } });
    const found = byKind.find((each) => each.uuid === uuid);
    expect(found?.functionGroups).toMatchObject([{ functionGroupCode: 'authorityProvider' }]);
    await expect(test.call('bulkReconnectConnector', { body: [uuid] })).resolves.toBeUndefined();
    await expect(test.call('bulkReconnectConnector', { body: [newUuid()] })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('is reconnected even if another connector hangs, and the response names the connector that hangs', async () => {
    const hanging = await newFakeConnector();
    const first = await create({ url: hanging.url });
    const second = await create();
    hanging.on('GET /v1', 'hang');
    const asked = fake.callsTo('GET /v1').length;
    const giveUp = new AbortController();
    const reconnecting = test.call('bulkReconnectConnector', { body: [first, second], signal: giveUp.signal });
    const refused = expect(reconnecting).rejects.toThrow(/^Connector connector /);
    await vi.waitFor(() => expect(fake.callsTo('GET /v1')).toHaveLength(asked + 1), { timeout: 5_000 });
    await vi.waitFor(async () => expect((await test.audits(second)).length).toBeGreaterThan(1), { timeout: 5_000 });
    giveUp.abort();
    await refused;
  });

  it('returns its health and the attributes of its function group kinds', async () => {
    const uuid = await create();
    const all = await test.call('getConnectorAttributesAll', { params: { uuid } });
    expect(all.authorityProvider?.Fake?.map((each) => each.name)).toEqual(['data_address', 'data_password']);
    const params = { uuid, functionGroup: 'authorityProvider', kind: 'Fake' };
    expect(await test.call('getConnectorAttributes', { params })).toHaveLength(2);
    await expect(test.call('getConnectorAttributes', { params: { ...params, kind: 'Unknown' } })).rejects.toMatchObject(
      {
        code: 'object_not_found',
      },
    );
    expect(await test.call('checkConnectorHealth', { params: { uuid } })).toEqual({
      status: 'ok',
      parts: { store: { status: 'ok' } },
    });
  });

  it('has attribute values validated by the connector first, then by the platform', async () => {
    const uuid = await create();
    const params = { uuid, functionGroup: 'authorityProvider', kind: 'Fake' };
    const validate = (body: unknown) => test.call('validateConnectorAttributes', { params, body });
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
      test.call('validateConnectorAttributes', { params: { ...params, functionGroup: 'entityProvider' }, body: [] }),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('distinguishes calls with an unknown outcome from calls that were certainly not carried out', async () => {
    const client = await test.area.client(await create());
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

  it('names the innermost object in the path if that object is missing at the connector', async () => {
    fake.on('GET /v1', { body: [infoOf('cryptographyProvider', ['Soft'])] });
    const client = await test.area.client(await create());
    const params = { uuid: 'the-token', keyUuid: 'the-key' };
    await expect(client.call(cryptographyProviderOperations.getKey, { params })).rejects.toMatchObject({
      code: 'object_not_found',
      parameters: { id: 'the-key' },
    });
    await expect(client.call(cryptographyProviderOperations.listTokenInstances)).rejects.toMatchObject({
      parameters: { id: '/v1/cryptographyProvider/tokens' },
    });
  });

  it('reflects a change made on another node within five seconds', async () => {
    const other = test.newArea();
    const uuid = await create();
    expect((await other.facts(uuid)).functionGroups[0]?.kinds).toEqual(['Fake']);
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Changed'])] });
    await test.call('reconnectConnector', { params: { uuid } });
    test.clock.advance(1_500);
    expect((await other.facts(uuid)).functionGroups[0]?.kinds).toEqual(['Changed']);
    await other.stop?.();
  });
});

describe('a change whose audit record cannot be written', () => {
  it('is not applied', async () => {
    const uuid = await create(basic('pw'));
    const snapshot = () =>
      test.database.query(
        'SELECT c.*, g.* FROM connector c LEFT JOIN connector_function_group g ON g.connector_uuid = c.uuid ORDER BY c.uuid, g.code',
      );
    const before = await snapshot();
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Changed'])] });
    test.audit.isBroken = true;
    try {
      await expect(create()).rejects.toThrow('audit trail');
      await expect(test.call('editConnector', { params: { uuid }, body: { authType: 'none' } })).rejects.toThrow(
        'audit trail',
      );
      await expect(test.call('reconnectConnector', { params: { uuid } })).rejects.toThrow('audit trail');
      await expect(test.call('deleteConnector', { params: { uuid } })).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect(await snapshot()).toEqual(before);
  });
});

describe('deleting a connector', () => {
  it('is rejected while dependent objects exist, and detaches these objects if it is forced', async () => {
    const detached: string[] = [];
    const needed = await create();
    test.area.registerDependants({
      what: 'Things',
      names: (_executor, uuid) => Promise.resolve(uuid === needed && detached.length === 0 ? ['one', 'two'] : []),
      detach: (_tx, uuid) => Promise.resolve(void detached.push(uuid)),
    });
    const free = await create();
    await expect(test.call('deleteConnector', { params: { uuid: needed } })).rejects.toMatchObject({
      parameters: { problems: ['Dependent Things (2): one, two'] },
    });
    expect(await test.call('bulkDeleteConnector', { body: [needed, free, newUuid()] })).toMatchObject([
      { uuid: needed, message: 'Dependent Things (2): one, two' },
    ]);
    expect(await test.database.query('SELECT FROM connector WHERE uuid = $1', [free])).toEqual([]);
    expect(await test.call('forceDeleteConnector', { body: [needed] })).toEqual([]);
    expect(detached).toEqual([needed]);
    await expect(test.call('getConnector', { params: { uuid: needed } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    expect((await test.audits(needed)).map(({ operation }) => operation)).toEqual(['create', 'forceDelete']);
  });

  it('is rejected if the connector does not exist', async () => {
    await expect(test.call('deleteConnector', { params: { uuid: newUuid() } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });
});
