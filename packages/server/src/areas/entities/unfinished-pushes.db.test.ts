// Deployments that wait for a certificate or a response are completed by any node.
import type { MetadataAttribute } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { aliasMetadata, PUSH, REMOVE } from './testing/key-store-connector.ts';

const UNANSWERED_MS = 300_000;

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});

/** Runs the background loop until a location has certificates in these states. */
async function roundUntil(place: Path, states: Readonly<Record<string, string>>): Promise<void> {
  const rounds = test.newUnfinished();
  rounds.start();
  await expect.poll(() => test.states(place), { timeout: 10_000, interval: 20 }).toEqual(states);
  await rounds.stop();
}

const setState = (uuid: string, state: string) =>
  test.database.query('UPDATE certificate SET state = $2 WHERE uuid = $1', [uuid, state]);

/** Marks a certificate as if its provider had created an entry for it. */
const markGenerated = (uuid: string, metadata: readonly MetadataAttribute[]) =>
  test.database.query('UPDATE location_certificate SET metadata = $2, made_entry = true WHERE certificate_uuid = $1', [
    uuid,
    JSON.stringify(metadata),
  ]);

/** Creates a certificate that is yet to be issued. */
async function requested(name: string) {
  const certificate = await test.certificate(name);
  await setState(certificate.uuid, 'requested');
  return certificate;
}

describe('a waiting certificate', () => {
  it('is pushed once it is issued, and not before', async () => {
    const [place, early] = [await test.addLocation('patient'), await requested('early.test')];
    const late = await requested('late.test');
    expect((await test.push(place, late.uuid)).certificates).toMatchObject([{ deployment: 'waiting' }]);
    await test.push(place, early.uuid);
    expect(test.shelf('patient')).toEqual([]);
    await setState(early.uuid, 'issued');
    // Certificates that have waited longer are checked first.
    await roundUntil(place, { [late.uuid]: 'waiting', [early.uuid]: 'installed' });
    expect(test.shelf('patient')).toMatchObject([{ certificateData: early.base64 }]);
    expect(await test.history(early.uuid)).toEqual(['SUCCESS: Pushed to location patient']);
  });

  it('keeps waiting while its location is disabled or a different push to the location is in progress', async () => {
    const [closed, taken] = [await test.addLocation('closed'), await test.addLocation('taken', { single: true })];
    const [first, second, third] = [await requested('1.test'), await requested('2.test'), await requested('3.test')];
    await test.push(closed, first.uuid);
    await test.push(taken, second.uuid);
    await test.call('disableLocation', { params: closed });
    await test.database.query(
      `INSERT INTO location_certificate (location_uuid, certificate_uuid, state, with_key, metadata, requested_by, changed_at)
       VALUES ($1, $2, 'pushing', false, '[]', 'alice', $3)`,
      [taken.locationUuid, third.uuid, test.clock.now()],
    );
    const open = await test.addLocation('open');
    const last = await requested('last.test');
    await test.push(open, last.uuid);
    for (const { uuid } of [first, second, third, last]) await setState(uuid, 'issued');
    await roundUntil(open, { [last.uuid]: 'installed' });
    expect(await test.states(closed)).toEqual({ [first.uuid]: 'waiting' });
    expect(await test.states(taken)).toEqual({ [second.uuid]: 'waiting', [third.uuid]: 'pushing' });
    await test.database.query(`DELETE FROM location_certificate WHERE state IN ('waiting', 'pushing')`);
  });

  it.each(['failed', 'rejected'])('is dropped if it is %s, and the provider deletes its key', async (state) => {
    const place = await test.addLocation(`never ${state}`);
    const { uuid } = await requested(`never.${state}.test`);
    await test.push(place, uuid);
    const metadata = [aliasMetadata('made')];
    await markGenerated(uuid, metadata);
    await setState(uuid, state);
    const before = test.connector.callsTo(REMOVE).length;
    await roundUntil(place, {});
    const removed = test.connector.callsTo(REMOVE).slice(before);
    expect(removed).toMatchObject([{ body: { certificateMetadata: metadata } }]);
  });

  it('is dropped without a provider call if no key was generated, and is dropped even if the provider does not respond', async () => {
    const place = await test.addLocation('keyless');
    const [keyless, keyed] = [await requested('keyless.test'), await requested('keyed.test')];
    for (const { uuid } of [keyless, keyed]) await test.push(place, uuid);
    await markGenerated(keyed.uuid, [aliasMetadata('stays')]);
    for (const { uuid } of [keyless, keyed]) await setState(uuid, 'failed');
    test.fail(REMOVE, { behaviour: 'reset' });
    const before = test.connector.callsTo(REMOVE).length;
    await roundUntil(place, {});
    const removed = test.connector.callsTo(REMOVE).slice(before);
    expect(removed[0]?.body).toMatchObject({ certificateMetadata: [aliasMetadata('stays')] });
    expect(new Set(removed.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('fails if the provider rejects it, without delaying the others', async () => {
    const place = await test.addLocation('refusing');
    const [refused, fine] = [await requested('refused.test'), await requested('fine.test')];
    for (const { uuid } of [refused, fine]) {
      await test.push(place, uuid);
      await setState(uuid, 'issued');
    }
    test.fail(PUSH, { behaviour: { status: 422, body: ['No room.'] } });
    await roundUntil(place, { [refused.uuid]: 'failed', [fine.uuid]: 'installed' });
    expect(await test.history(refused.uuid)).toEqual(['FAILED: Push to location refusing failed: No room.']);
  });
});

describe('a push without a response', () => {
  it('is resolved after five minutes: the certificate is installed if it is present, and failed if not', async () => {
    const place = await test.addLocation('unanswered');
    const [done, lost] = [await test.certificate('done.test'), await test.certificate('lost.test')];
    test.fail(PUSH, { behaviour: 'reset', afterEffect: true });
    await expect(test.push(place, done.uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    test.fail(PUSH, { behaviour: 'reset' });
    await expect(test.push(place, lost.uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    test.clock.advance(UNANSWERED_MS);
    const young = await test.addLocation('just pushed');
    const younger = await test.certificate('younger.test');
    test.fail(PUSH, { behaviour: 'reset', afterEffect: true });
    await expect(test.push(young, younger.uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    await roundUntil(place, { [done.uuid]: 'installed', [lost.uuid]: 'failed' });
    expect(await test.states(young)).toEqual({ [younger.uuid]: 'pushing' });
    const row = (await test.held(place)).find(({ state }) => state === 'failed');
    expect(row?.problem).toBe('The provider did not respond, and the certificate is not in the location.');
    expect(await test.history(lost.uuid)).toEqual([
      'FAILED: Push to location unanswered failed: The provider did not respond, and the certificate is not in the location.',
    ]);
  });
});
