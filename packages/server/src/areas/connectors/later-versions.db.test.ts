// Operations on connectors that a later interface version adds.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeConnector } from './testing/fake-connector.ts';
import { createTestConnectors, newFakeConnector, newName, type TestConnectors } from './testing/test-connectors.ts';

let test: TestConnectors;
let fake: FakeConnector;

beforeAll(async () => {
  test = await createTestConnectors();
});
beforeEach(async () => {
  fake = await newFakeConnector();
});
afterAll(() => test.area.stop?.());

const filter = (fieldIdentifier: string, value: unknown, condition = 'EQUALS') => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition,
  value,
});
const found = async (...filters: readonly object[]) =>
  (await test.call('listConnectorsV2', { body: { filters } })).items.map(({ name }) => name);

describe('a connector in the form of version 2.17', () => {
  it('is created, tested and returned with its version', async () => {
    const request = { url: fake.url, authType: 'none' };
    expect(await test.call('connectV2', { body: request })).toMatchObject([
      { version: 'v1', functionGroups: [{ functionGroupCode: 'authorityProvider' }] },
    ]);
    const name = newName();
    const created = await test.call('createConnectorV2', { body: { ...request, name, version: 'v1' } });
    expect(created).toMatchObject({ name, version: 'v1', status: 'connected', interfaces: [], authType: 'none' });
    const params = { uuid: created.uuid };
    expect(await test.call('getConnectorV2', { params })).toMatchObject({ uuid: created.uuid, version: 'v1' });
    expect(await test.call('reconnectV2', { params })).toMatchObject({ connectorUuid: created.uuid, version: 'v1' });
    const parts = { database: { status: 'nok', description: 'down' }, queue: { status: 'ok' } };
    fake.on('GET /v1/health', { body: { status: 'ok', parts } });
    expect(await test.call('checkHealthV2', { params })).toEqual({
      status: 'UP',
      components: { database: { status: 'DOWN', details: { description: 'down' } }, queue: { status: 'UP' } },
    });
    const [info] = await test.call('connectV2', { body: { ...request, ...params } });
    expect(info?.connectorUuid).toBe(created.uuid);
    expect(await test.audits(created.uuid)).toMatchObject([
      { operation: 'create' },
      { operation: 'reconnect' },
      { operation: 'connect' },
    ]);
    await test.call('deleteConnectorV2', { params });
    expect(await found(filter('CONNECTOR_NAME', name))).toEqual([]);
  });

  it('cannot be of version 2, which the platform does not call', async () => {
    const body = { name: newName(), url: fake.url, authType: 'none', version: 'v2' };
    await expect(test.call('createConnectorV2', { body })).rejects.toThrow('of version v2 are not supported');
    expect(fake.calls).toEqual([]);
  });

  it('is listed in pages, and found by name, URL, status, version and function group', async () => {
    const names = [newName(), newName()].toSorted();
    for (const name of names) await test.create({ url: fake.url, name });
    const page = await test.call('listConnectorsV2', { body: { itemsPerPage: 1, pageNumber: 2 } });
    expect(page).toMatchObject({ itemsPerPage: 1, pageNumber: 2, totalItems: page.totalPages });
    expect(page.items).toHaveLength(1);
    const here = filter('CONNECTOR_URL', fake.url);
    expect(await found(here)).toEqual(names);
    expect(await found(here, filter('CONNECTOR_NAME', names[0]))).toEqual(names.slice(0, 1));
    expect(await found(here, filter('CONNECTOR_FUNCTION_GROUP', ['authorityProvider']))).toEqual(names);
    expect(await found(here, filter('CONNECTOR_FUNCTION_GROUP', ['entityProvider']))).toEqual([]);
    expect(await found(here, filter('CONNECTOR_STATUS', 'offline'))).toEqual([]);
    expect(await found(here, filter('CONNECTOR_VERSION', ['v1']), filter('CONNECTOR_AUTH_TYPE', 'none'))).toEqual(
      names,
    );
    const [group] = await test.call('getConnectorSearchableFields');
    expect(group?.searchFieldData?.map(({ fieldIdentifier }) => fieldIdentifier).toSorted()).toEqual([
      'CONNECTOR_AUTH_TYPE',
      'CONNECTOR_FUNCTION_GROUP',
      'CONNECTOR_NAME',
      'CONNECTOR_STATUS',
      'CONNECTOR_URL',
      'CONNECTOR_VERSION',
    ]);
  });
});
