// A successor waits in the locations of the certificate that it replaces.
import { beforeAll, describe, expect, it } from 'vitest';
import { noPermissions, type ObjectRights, type RequestContext } from '../../kernel/actor.ts';
import { createInPlaceRenewal } from './in-place-renewal.ts';
import { prepareReplacement } from './replace.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { formValue, PUSH } from './testing/key-store-connector.ts';

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});

/** Registers the successor as a renewal does, in the transaction of the renewal. */
async function succeed(uuid: string, successor: string, context: RequestContext = test.test.context): Promise<boolean> {
  const reserve = await prepareReplacement(test.parts, uuid, context);
  if (reserve) await test.database.transaction((tx) => reserve(tx, successor));
  return reserve !== undefined;
}

/** A user with permissions on these objects only. */
function limitedTo(rights: Readonly<Record<'entities' | 'locations', readonly string[]>>): RequestContext {
  const allowed = (...actions: ('detail' | 'update')[]): ObjectRights => ({
    allowed: new Set(actions),
    denied: new Set(),
  });
  const of = (action: 'detail' | 'update', uuids: readonly string[]) => ({
    allowAllActions: false,
    actions: new Set<never>(),
    objects: new Map(uuids.map((uuid) => [uuid, allowed(action)])),
  });
  const resources = new Map([
    ['entities', of('detail', rights.entities)],
    ['locations', of('update', rights.locations)],
  ] as const);
  const { context } = test.test;
  return { ...context, actor: { ...context.actor, type: 'user', permissions: { ...noPermissions, resources } } };
}

describe("a certificate's successor", () => {
  it("waits in each of the certificate's locations, with the same attributes, to replace it", async () => {
    const [narrow, wide] = [await test.addLocation('narrow', { single: true }), await test.addLocation('wide')];
    const [before, after] = [await test.certificate('before.test'), await test.certificate('after.test')];
    for (const place of [narrow, wide])
      await test.push(place, before.uuid, { attributes: [formValue('data_alias', 'kept')] });
    const pushes = test.connector.callsTo(PUSH).length;
    expect(await succeed(before.uuid, after.uuid)).toBe(true);
    for (const place of [narrow, wide]) {
      const row = (await test.held(place)).find(({ certificate_uuid: uuid }) => uuid === after.uuid);
      expect(row).toMatchObject({
        state: 'waiting',
        replaces_uuid: before.uuid,
        requested_by: 'alice',
        metadata: [],
        with_key: false,
        problem: null,
      });
      const { certificates } = await test.call('getLocation', { params: place });
      expect(certificates.find(({ certificateUuid }) => certificateUuid === after.uuid)?.pushAttributes).toMatchObject([
        { name: 'data_alias', content: [{ data: 'kept' }] },
      ]);
    }
    expect(test.connector.callsTo(PUSH)).toHaveLength(pushes);
  });

  it('is found by a renewal in place, unless it failed', async () => {
    const place = await test.addLocation('renewing', { single: true });
    const [before, after] = [await test.certificate('old.test'), await test.certificate('new.test')];
    await test.push(place, before.uuid);
    const { successorOf } = createInPlaceRenewal(test.parts);
    const held = { locationUuid: place.locationUuid, certificateUuid: before.uuid };
    expect(await successorOf(held)).toBeUndefined();
    await succeed(before.uuid, after.uuid);
    expect(await successorOf(held)).toBe(after.uuid);
    await test.database.query(`UPDATE location_certificate SET state = 'failed' WHERE certificate_uuid = $1`, [
      after.uuid,
    ]);
    expect(await successorOf(held)).toBeUndefined();
  });

  it.each(['waiting', 'pushing', 'replaced', 'not_served', 'failed'])(
    'is not added to a location where the certificate is merely %s',
    async (state) => {
      const place = await test.addLocation(`only ${state}`);
      const [before, after] = [await test.certificate(`b ${state}`), await test.certificate(`a ${state}`)];
      await test.push(place, before.uuid);
      await test.database.query('UPDATE location_certificate SET state = $2 WHERE certificate_uuid = $1', [
        before.uuid,
        state,
      ]);
      expect(await succeed(before.uuid, after.uuid)).toBe(false);
      expect(await test.states(place)).toEqual({ [before.uuid]: state });
    },
  );
});

describe('a user who renews a certificate', () => {
  let places: Path[];
  let certificate: string;
  beforeAll(async () => {
    places = [await test.addLocation('first place'), await test.addLocation('second place')];
    certificate = (await test.certificate('renewed.test')).uuid;
    for (const place of places) await test.push(place, certificate);
  });
  const uuids = () => places.map(({ locationUuid }) => locationUuid);

  it('can replace it if they are allowed to update all of its locations and to view their entities', async () => {
    const context = limitedTo({ entities: [test.entityUuid], locations: uuids() });
    expect(await prepareReplacement(test.parts, certificate, context)).toBeTypeOf('function');
  });

  it.each([
    [
      'may change one of the locations only',
      () => ({ entities: [test.entityUuid], locations: uuids().slice(1) }),
      'update',
      'locations',
    ],
    ['may not see the entity', () => ({ entities: [], locations: uuids() }), 'detail', 'entities'],
    ['may do neither', () => ({ entities: [], locations: [] }), 'detail', 'entities'],
  ] as const)('is rejected if they %s', async (_what, rights, action, resource) => {
    const act = prepareReplacement(test.parts, certificate, limitedTo(rights()));
    await expect(act).rejects.toMatchObject({
      code: 'access_denied',
      parameters: {
        action,
        resource,
        name: expect.stringMatching(/^to replace the certificate in (first|second) place, /),
      },
    });
  });
});
