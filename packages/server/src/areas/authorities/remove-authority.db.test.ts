import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { FakeConnector } from '../connectors/testing/fake-connector.ts';
import { contextWith, createAuthoritiesFixture } from './testing/authorities-fixture.ts';

const { database, clock, connectors, area, startConnector, addConnector, call, create, audits, stop } =
  await createAuthoritiesFixture();

let fake: FakeConnector;
let connectorUuid: string;

beforeEach(async () => {
  fake = await startConnector();
  connectorUuid = await addConnector(fake);
});
afterAll(stop);

describe('removing an authority', () => {
  const rowOf = (uuid: string) => database.query('SELECT status FROM authority WHERE uuid = $1', [uuid]);

  it('also removes it from the connector, even if it is already gone there', async () => {
    const [uuid, other] = [await create(), await create()];
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(fake.callsTo('DELETE /v1/authorityProvider/authorities/*')).toHaveLength(1);
    expect(await rowOf(uuid)).toEqual([]);
    expect(await database.query('SELECT FROM attribute_value WHERE object_uuid = $1', [uuid])).toEqual([]);
    expect(await audits(uuid)).toEqual(['create', 'delete']);
    fake.on('DELETE /v1/authorityProvider/authorities/*', { status: 404 });
    await call('deleteAuthorityInstance', { params: { uuid: other } });
    expect(await rowOf(other)).toEqual([]);
    await expect(call('deleteAuthorityInstance', { params: { uuid } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('is rejected if the connector fails to remove it, unless the removal is forced', async () => {
    const uuid = await create();
    fake.on('DELETE /v1/authorityProvider/authorities/*', { status: 500 });
    await expect(call('deleteAuthorityInstance', { params: { uuid } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect(await rowOf(uuid)).toEqual([{ status: 'connected' }]);
    expect(await call('bulkDeleteAuthorityInstance', { body: [uuid, newUuid()] })).toMatchObject([{ uuid }]);
    expect(await call('forceDeleteAuthorityInstances', { body: [uuid] })).toEqual([]);
    expect(await rowOf(uuid)).toEqual([]);
  });

  it('prevents new dependent objects while the connector removes the authority', async () => {
    const uuid = await create();
    let held: unknown;
    fake.on('DELETE /v1/authorityProvider/authorities/*', async () => {
      held = await database.transaction((tx) => area.holdForUse(tx, uuid)).catch((error: unknown) => error);
      return { status: 204 };
    });
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(held).toMatchObject({ code: 'invalid_state' });
  });

  it('can be repeated after an interruption', async () => {
    const uuid = await create();
    await database.query("UPDATE authority SET status = 'removing' WHERE uuid = $1", [uuid]);
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(await rowOf(uuid)).toEqual([]);
  });

  it('is required before its connector can be removed, unless the removal is forced', async () => {
    const uuid = await create();
    const remove = (id: string, body: unknown) =>
      connectors.routes
        ?.find(({ operation }) => operation.id === id)
        ?.handle({
          params: { uuid: connectorUuid },
          query: {},
          body,
          context: contextWith({ module: 'core', resource: 'connectors', operation: 'delete' }),
        } as never); // The operation defines the type of its input.
    await expect(remove('deleteConnector', undefined)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await remove('forceDeleteConnector', [connectorUuid])).toEqual([]);
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown).toMatchObject({ status: 'without connector', attributes: [] });
    expect(shown.connectorUuid).toBeUndefined();
    expect(shown.connectorName).toMatch(/ \(Deleted\)$/);
    clock.advance(2_000);
    await expect(call('listRAProfileAttributes', { params: { uuid } })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(await rowOf(uuid)).toEqual([]);
  });
});
