// One operation per location at a time: others wait, are rejected with a reason, or take over from a node that stopped.
import { locationOperations } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { createLocationTurns, type LocationTurns } from './location-turns.ts';
import { push } from './push.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { PUSH } from './testing/key-store-connector.ts';

const LEASE_MS = 6_000;

let test: EntitiesFixture;
let turns: LocationTurns;
beforeAll(async () => {
  test = await createEntitiesFixture();
  turns = createLocationTurns({ platform: test.test.platform, contents: test.parts.contents, waitMs: 500 });
});

/** Starts an operation of another node; returns its start time. */
async function beginElsewhere(place: Path): Promise<string> {
  const at = test.clock.now();
  await test.database.query(
    `INSERT INTO location_operation (location_uuid, uuid, kind, requested_by, node_uuid, started_at, leased_until)
     VALUES ($1, $2, 'renew', 'alice', $3, $4, $5)`,
    [place.locationUuid, newUuid(), newUuid(), at, new Date(at.getTime() + LEASE_MS)],
  );
  return at.toISOString();
}

const endElsewhere = (place: Path) =>
  test.database.query('DELETE FROM location_operation WHERE location_uuid = $1', [place.locationUuid]);

/** Pushes with a short wait for the location. */
const pushTo = (place: Path, certificateUuid: string) =>
  push(
    { ...test.parts, turns },
    { ...place, certificateUuid },
    { body: { attributes: [], replace: false }, context: pushing() },
  );
const pushing = () => ({ ...test.test.context, audit: locationOperations.pushCertificate.audit });

const removeFromLocation = (params: Path, certificateUuid: string) =>
  test.call('removeCertificateFromLocation', { params: { ...params, certificateUuid } });

const operationAt = async (params: Path) => (await test.call('getLocationDeployment', { params })).operation;

describe('a location with an operation in progress', () => {
  it('reports the operation, and rejects a second one before calling the provider', async () => {
    const [place, { uuid }] = [await test.addLocation('busy'), await test.certificate('busy.test')];
    const startedAt = await beginElsewhere(place);
    expect(await operationAt(place)).toEqual({ kind: 'renew', requestedBy: 'alice', startedAt, interrupted: false });
    const before = test.connector.callsTo(PUSH).length;
    await expect(pushTo(place, uuid)).rejects.toThrow(
      `Location busy is in use: a renewal requested by alice has been in progress since ${startedAt}`,
    );
    expect(test.connector.callsTo(PUSH)).toHaveLength(before);
    expect(await test.states(place)).toEqual({});
  });

  it('can start the second operation once the first one has ended', async () => {
    const [place, { uuid }] = [await test.addLocation('soon free'), await test.certificate('soon.free.test')];
    await beginElsewhere(place);
    const pushed = pushTo(place, uuid);
    await endElsewhere(place);
    await pushed;
    expect(await test.states(place)).toEqual({ [uuid]: 'installed' });
    expect(await operationAt(place)).toBeUndefined();
  });

  it('is free again after the first operation failed', async () => {
    const [place, { uuid }] = [await test.addLocation('failing'), await test.certificate('failing.test')];
    test.fail(PUSH, { behaviour: { status: 422, body: ['no'] } });
    await expect(pushTo(place, uuid)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await pushTo(place, uuid);
    expect(await test.states(place)).toEqual({ [uuid]: 'installed' });
  });
});

describe('an operation whose node stopped during a push', () => {
  /** The provider was called, and the node stopped before it received the response. */
  async function interrupted(name: string, { afterEffect }: { readonly afterEffect: boolean }) {
    const [place, { uuid }] = [await test.addLocation(name, { single: true }), await test.certificate(`${name}.test`)];
    test.fail(PUSH, { behaviour: 'reset', afterEffect });
    await expect(test.push(place, uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(await test.states(place)).toEqual({ [uuid]: 'pushing' });
    await beginElsewhere(place);
    test.clock.advance(LEASE_MS);
    return { place, uuid };
  }

  it.each([
    ['has arrived where it is there', 'arrived', true, 0],
    ['is pushed again where it is not there', 'lost', false, 1],
  ])('%s', async (_outcome, name, afterEffect, pushes) => {
    const { place, uuid } = await interrupted(name, { afterEffect });
    expect(await operationAt(place)).toMatchObject({ interrupted: true });
    const before = test.connector.callsTo(PUSH).length;
    const rounds = test.newUnfinished();
    rounds.start();
    await expect.poll(() => test.states(place), { timeout: 10_000, interval: 20 }).toEqual({ [uuid]: 'installed' });
    await rounds.stop();
    expect(test.connector.callsTo(PUSH).length - before).toBe(pushes);
    expect(await operationAt(place)).toBeUndefined();
  });

  it('yields to the next operation, which first determines the outcome of the push', async () => {
    const { place, uuid } = await interrupted('taken over', { afterEffect: true });
    // A push with an unknown outcome would keep a single-certificate location occupied.
    await expect(removeFromLocation(place, uuid)).resolves.toBeDefined();
    expect(test.shelf('taken over')).toEqual([]);
    const { uuid: next } = await test.certificate('next.test');
    await pushTo(place, next);
    expect(await test.states(place)).toEqual({ [next]: 'installed' });
  });
});
