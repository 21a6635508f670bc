// A built-in connector that runs inside the platform.
import { connectorBaseOperations as connectorBase } from '@signetry/contract';
import { handlersOf, rejected as connectorRejects, type Connector } from '@signetry/connector-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from './testing/fake-connector.ts';
import { createTestConnectors, newFakeConnector, secret, type TestConnectors } from './testing/test-connectors.ts';

let test: TestConnectors;

beforeAll(async () => {
  test = await createTestConnectors();
});
afterAll(() => test.area.stop?.());

const failing = { problem: '' };
const builtIn: Connector = {
  name: 'test-builtin',
  functionGroups: [{ code: 'credentialProvider', kinds: ['Test'], features: ['idempotency'] }],
  migrations: [{ name: '1', sql: (schema) => `CREATE TABLE ${schema}.note (text text NOT NULL)` }],
  create: ({ storage }) => ({
    handlers: handlersOf(connectorBase, {
      listAttributeDefinitions: () => [PASSWORD as never], // definition used by the fake connector
      validateAttributes: async ({ body }) => {
        if (failing.problem === 'crash') throw new Error('a fault that must not be shown');
        if (failing.problem !== '') throw connectorRejects(failing.problem);
        await storage.query(`INSERT INTO ${storage.table('note')} VALUES ($1)`, [String(body.length)]);
        return undefined;
      },
    }),
  }),
};

describe('a built-in connector', () => {
  it('gets its own tables and one row, which a second start leaves unchanged', async () => {
    const uuid = await test.area.registerBuiltIn(builtIn);
    const rows = () =>
      test.database.query(
        `SELECT c.*, g.*, g.xmin::text AS version
         FROM connector c JOIN connector_function_group g ON g.connector_uuid = c.uuid WHERE c.uuid = $1`,
        [uuid],
      );
    const before = await rows();
    expect(await test.newArea().registerBuiltIn(builtIn)).toBe(uuid);
    expect(await rows()).toEqual(before);
    expect(await test.call('getConnector', { params: { uuid } })).toMatchObject({
      name: 'test-builtin',
      url: 'builtin:test-builtin',
      status: 'connected',
      functionGroups: [{ kinds: ['Test'] }],
    });
    expect(await test.audits(uuid)).toMatchObject([{ operation: 'create' }]);
  });

  it('uses a different name if a registered connector already has its name', async () => {
    const fake = await newFakeConnector();
    const body = { url: fake.url, name: 'taken-builtin' };
    await test.create(body);
    const uuid = await test.area.registerBuiltIn({ ...builtIn, name: 'taken-builtin' });
    expect((await test.call('getConnector', { params: { uuid } })).name).toBe('taken-builtin (built in)');
    expect(await test.newArea().registerBuiltIn({ ...builtIn, name: 'taken-builtin' })).toBe(uuid);
  });

  it('is called like any other connector, with the same errors', async () => {
    const uuid = await test.area.registerBuiltIn(builtIn);
    const validate = () =>
      test.call('validateConnectorAttributes', {
        params: { uuid, functionGroup: 'credentialProvider', kind: 'Test' },
        body: [secret('data_password', 'x')],
      });
    await validate();
    expect(await test.database.query('SELECT text FROM connector_test_builtin.note')).toEqual([{ text: '1' }]);
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

  it('cannot be deleted or edited', async () => {
    const uuid = await test.area.registerBuiltIn(builtIn);
    await expect(test.call('deleteConnector', { params: { uuid } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect(await test.call('forceDeleteConnector', { body: [uuid] })).toMatchObject([{ uuid, name: 'test-builtin' }]);
    await expect(
      test.call('editConnector', { params: { uuid }, body: { url: 'http://127.0.0.1:1' } }),
    ).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });
});
