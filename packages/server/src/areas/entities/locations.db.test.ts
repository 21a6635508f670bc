// Entities and locations, and the contents of locations.
import { beforeAll, describe, expect, it } from 'vitest';
import { coreActor, noPermissions } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { formValue, READ, REMOVE, REMOVE_ENTITY } from './testing/key-store-connector.ts';

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});

const rejectionWith = (act: Promise<unknown>, problem: string) =>
  expect(act).rejects.toMatchObject({ code: 'rejected_by_rules', parameters: { problems: [problem] } });
const shown = (params: Path) => test.call('getLocation', { params });
const sync = (params: Path) => test.call('syncLocation', { params });
const unread = (name: string, certificateData: string) =>
  void test.shelf(name).push({ certificateData, withKey: false });

describe('a location', () => {
  it('shows its contents from the start; unknown certificates are imported into the inventory', async () => {
    const [there, known] = [await test.make('was-there.test'), await test.certificate('known.test')];
    test.shelf('filled').push({ certificateData: there.base64, withKey: true });
    unread('filled', known.base64);
    const location = await shown(await test.addLocation('filled'));
    expect(location).toMatchObject({ state: 'installed', supportMultipleEntries: true, supportKeyManagement: true });
    expect(location.certificates.map(({ commonName, withKey }) => [commonName, withKey]).toSorted()).toEqual([
      ['known.test', false],
      ['was-there.test', true],
    ]);
  });

  it('reports how many of its certificates are unreadable, as long as there are any', async () => {
    unread('unreadable', 'bm8gY2VydGlmaWNhdGU=');
    unread('unreadable', '');
    const place = await test.addLocation('unreadable');
    const { readingProblem } = await test.call('getLocationDeployment', { params: place });
    expect(readingProblem).toMatch(/^2 of its certificates cannot be read: .+; .+/);
    expect((await shown(place)).state).toBe('unreadable');
    test.shelf('unreadable').splice(0);
    expect(await sync(place)).toMatchObject({ state: 'empty', certificates: [] });
  });

  it('drops certificates that it no longer contains, and keeps the known ones while it cannot be read', async () => {
    const [place, { uuid, base64 }] = [await test.addLocation('emptied'), await test.certificate('emptied.test')];
    unread('emptied', base64);
    await sync(place);
    test.fail(READ, { behaviour: { status: 422, body: ['The shelf is locked.'] } });
    await rejectionWith(sync(place), 'The shelf is locked.');
    expect(await test.states(place)).toEqual({ [uuid]: 'installed' });
    expect(await shown(place)).toMatchObject({ state: 'unreadable' });
    test.shelf('emptied').splice(0);
    await sync(place);
    expect(await test.states(place)).toEqual({});
  });

  it.each(['served', 'not_served', 'replaced', 'failed', 'waiting'])(
    'marks a certificate found on refresh as installed only if it had failed or was waiting: %s',
    async (state) => {
      const name = `reread ${state}`;
      const [place, { uuid, base64 }] = [await test.addLocation(name), await test.certificate(`${name}.test`)];
      const after = await test.certificate(`after ${name}.test`);
      for (const each of [base64, after.base64]) unread(name, each);
      await sync(place);
      const facts = [place.locationUuid, uuid, state];
      await test.database.query(
        `UPDATE location_certificate SET state = $3 WHERE location_uuid = $1 AND certificate_uuid = $2`,
        facts,
      );
      await test.database.query(
        `UPDATE location_certificate SET replaces_uuid = $2 WHERE location_uuid = $1 AND certificate_uuid <> $2`,
        facts.slice(0, 2),
      );
      await sync(place);
      // If a failed or waiting certificate is present, its push succeeded after all.
      const expected = state === 'failed' || state === 'waiting' ? 'installed' : state;
      expect((await test.states(place))[uuid]).toBe(expected);
    },
  );

  it('marks a certificate that was set aside as installed again if its successor is gone', async () => {
    const [place, { uuid, base64 }] = [await test.addLocation('left over'), await test.certificate('left-over.test')];
    unread('left over', base64);
    await sync(place);
    await test.database.query(`UPDATE location_certificate SET state = 'replaced' WHERE certificate_uuid = $1`, [uuid]);
    await sync(place);
    expect(await test.states(place)).toEqual({ [uuid]: 'installed' });
  });

  it('requires a unique name and unique attributes', async () => {
    await test.addLocation('unique');
    const add = (name: string, shelf: string) =>
      test.call('addLocation', {
        params: { entityUuid: test.entityUuid },
        body: { name, attributes: [formValue('data_shelf', shelf)], enabled: true },
      });
    await rejectionWith(
      add('unique too', 'unique'),
      'Cannot save location unique too: another location of its entity has the same attributes.',
    );
    await expect(add('unique', 'elsewhere')).rejects.toMatchObject({ code: 'already_exists' });
    const entity = await test.createEntity('another entity');
    await rejectionWith(
      test.call('editLocation', {
        params: await test.addLocation('moved'),
        body: { attributes: [formValue('data_shelf', 'unique')] },
      }),
      'Cannot save location moved: another location of its entity has the same attributes.',
    );
    expect((await shown(await test.addLocation('unique elsewhere', { entity }))).entityInstanceUuid).toBe(entity);
  });

  it('keeps its enabled state if an edit omits it, but loses its description if an edit omits it', async () => {
    const place = await test.addLocation('edited');
    const edit = (facts: object) =>
      test.call('editLocation', { params: place, body: { attributes: [formValue('data_shelf', 'edited')], ...facts } });
    expect(await edit({ description: 'by the door', enabled: false })).toMatchObject({
      description: 'by the door',
      enabled: false,
    });
    const edited = await edit({});
    expect([edited.description, edited.enabled]).toEqual([undefined, false]);
    await rejectionWith(sync(place), 'Location edited is disabled. Enable it first.');
  });

  it('is deleted with its recorded contents, without calling the provider', async () => {
    const [place, { uuid }] = [await test.addLocation('forgotten'), await test.certificate('forgotten.test')];
    await test.push(place, uuid);
    await test.call('deleteLocation', { params: place });
    await expect(shown(place)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await test.states(place)).toEqual({});
    expect(test.shelf('forgotten')).toHaveLength(1);
    expect(test.connector.callsTo(REMOVE)).toEqual([]);
  });

  it('is listed and counted only for callers who can also list its entity', async () => {
    await test.addLocation('listed');
    const granted = (...resources: ('locations' | 'entities')[]) => ({
      actor: {
        ...coreActor,
        permissions: {
          ...noPermissions,
          resources: new Map(
            resources.map((resource) => [resource, { allowAllActions: true, actions: new Set<never>() }] as const),
          ),
        },
      },
    });
    const totals = await Promise.all(
      [granted('locations', 'entities'), granted('locations'), granted('entities')].map(async (context) => {
        const { totalItems } = await test.call('listLocations', { body: {}, context });
        const counts = await test.call('countLocationStates', { context });
        return [totalItems, counts.reduce((sum, { locations }) => sum + locations, 0)];
      }),
    );
    const [{ count } = { count: 0 }] = await test.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM location',
    );
    expect(totals).toEqual([
      [count, count],
      [0, 0],
      [0, 0],
    ]);
  });
});

describe('an entity', () => {
  const remove = (entityUuid: string) => test.call('deleteEntityInstance', { params: { entityUuid } });
  const removing = (uuid: string) => test.database.query('SELECT removing FROM entity WHERE uuid = $1', [uuid]);

  it('cannot be deleted while it has locations, and the error lists them', async () => {
    const entity = await test.createEntity('kept');
    for (const name of ['kept a', 'kept b']) await test.addLocation(name, { entity });
    await expect(remove(entity)).rejects.toMatchObject({
      parameters: { problems: ['Entity instance kept has 2 dependent Locations', 'kept a', 'kept b'] },
    });
    expect(await removing(entity)).toEqual([{ removing: false }]);
  });

  it('is kept if its connector rejects the deletion, and remains usable', async () => {
    const entity = await test.createEntity('stubborn');
    test.fail(REMOVE_ENTITY, { behaviour: { status: 422, body: ['It is in use.'] } });
    await rejectionWith(remove(entity), 'Entity stubborn was not removed: It is in use.');
    expect(await removing(entity)).toEqual([{ removing: false }]);
    await test.addLocation('of a stubborn one', { entity });
  });

  it('is deleted if its connector no longer knows it, or if the connector no longer exists', async () => {
    const [unknown, orphan] = [await test.createEntity('unknown there'), await test.createEntity('orphan')];
    test.fail(REMOVE_ENTITY, { behaviour: { status: 404, body: { message: 'gone' } } });
    await remove(unknown);
    await test.database.query('UPDATE entity SET connector_uuid = NULL WHERE uuid = $1', [orphan]);
    await remove(orphan);
    expect([...(await removing(unknown)), ...(await removing(orphan))]).toEqual([]);
    await expect(remove(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('accepts no new location while it is being deleted', async () => {
    const entity = await test.createEntity('going');
    await test.database.query('UPDATE entity SET removing = true WHERE uuid = $1', [entity]);
    await rejectionWith(test.addLocation('too late', { entity }), 'Entity going is being removed.');
    await remove(entity);
    expect(await removing(entity)).toEqual([]);
  });

  it('has a unique name, which is checked before the connector creates the entity', async () => {
    await test.createEntity('named once');
    const calls = () => test.connector.callsTo('POST /v1/entityProvider/entities').length;
    const before = calls();
    await expect(test.createEntity('named once')).rejects.toMatchObject({ code: 'already_exists' });
    expect(calls()).toBe(before);
  });
});
