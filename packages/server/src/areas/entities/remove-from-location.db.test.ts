import { beforeAll, describe, expect, it } from 'vitest';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { aliasMetadata, PUSH, REMOVE } from './testing/key-store-connector.ts';

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});

const removeFromLocation = (params: Path, certificateUuid: string) =>
  test.call('removeCertificateFromLocation', { params: { ...params, certificateUuid } });
const removals = () => test.connector.callsTo(REMOVE).length;

describe('a certificate is removed from a location', () => {
  it('by its provider, which receives the metadata that it returned earlier', async () => {
    const [place, { uuid }] = [await test.addLocation('emptied'), await test.certificate('emptied.test')];
    await test.push(place, uuid);
    expect((await removeFromLocation(place, uuid)).certificates).toEqual([]);
    expect(test.shelf('emptied')).toEqual([]);
    expect(test.connector.callsTo(REMOVE).at(-1)?.body).toMatchObject({
      certificateMetadata: [aliasMetadata('alias 0')],
      locationAttributes: [{ name: 'data_shelf', content: [{ data: 'emptied' }] }],
    });
    expect(await test.history(uuid)).toEqual([
      'SUCCESS: Pushed to location emptied',
      'SUCCESS: Removed from location emptied',
    ]);
  });

  it('without calling the provider if it is only waiting, or if the provider rejected it', async () => {
    const place = await test.addLocation('never there');
    const [waiting, failed] = [await test.certificate('waiting.test'), await test.certificate('failed.test')];
    await test.database.query(`UPDATE certificate SET state = 'requested' WHERE uuid = $1`, [waiting.uuid]);
    await test.push(place, waiting.uuid);
    test.fail(PUSH, { behaviour: { status: 422, body: ['no'] } });
    await expect(test.push(place, failed.uuid)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    const before = removals();
    for (const { uuid } of [waiting, failed]) await removeFromLocation(place, uuid);
    expect([removals() - before, await test.states(place)]).toEqual([0, {}]);
  });

  it('by the provider, even while it is waiting, if a key was generated for it there', async () => {
    const [place, { uuid }] = [await test.addLocation('keyed'), await test.certificate('keyed.test')];
    await test.database.query(`UPDATE certificate SET state = 'requested' WHERE uuid = $1`, [uuid]);
    await test.push(place, uuid);
    const metadata = JSON.stringify([aliasMetadata('made')]);
    await test.database.query(
      'UPDATE location_certificate SET metadata = $1, made_entry = true WHERE certificate_uuid = $2',
      [metadata, uuid],
    );
    const before = removals();
    await removeFromLocation(place, uuid);
    expect(removals() - before).toBe(1);
  });

  it('together with the previous certificate that was set aside for it', async () => {
    const place = await test.addLocation('with probe', { single: true });
    const probe = { host: 'web.test', port: 443, timeoutSeconds: 60, restorePrevious: true };
    await test.call('setLocationProbe', { params: place, body: probe });
    const [before, after] = [await test.certificate('before.test'), await test.certificate('after.test')];
    await test.push(place, before.uuid);
    await test.push(place, after.uuid, { replace: true });
    expect(await test.states(place)).toEqual({ [before.uuid]: 'replaced', [after.uuid]: 'installed' });
    await removeFromLocation(place, after.uuid);
    expect(await test.states(place)).toEqual({});
  });
});

describe('a certificate is not removed', () => {
  it('if it is not in the location, or if the location is disabled', async () => {
    const [place, { uuid }] = [await test.addLocation('closed'), await test.certificate('closed.test')];
    await expect(removeFromLocation(place, uuid)).rejects.toMatchObject({
      parameters: { problems: ['Certificate closed.test is not in location closed.'] },
    });
    await test.push(place, uuid);
    await test.call('disableLocation', { params: place });
    await expect(removeFromLocation(place, uuid)).rejects.toMatchObject({
      parameters: { problems: ['Location closed is disabled. Enable it first.'] },
    });
    expect(await test.states(place)).toEqual({ [uuid]: 'installed' });
  });

  it('if the provider rejects the removal', async () => {
    const [place, { uuid }] = [await test.addLocation('stuck'), await test.certificate('stuck.test')];
    await test.push(place, uuid);
    test.fail(REMOVE, { behaviour: { status: 422, body: ['It is in use.'] } });
    await expect(removeFromLocation(place, uuid)).rejects.toMatchObject({
      parameters: { problems: ['It is in use.'] },
    });
    expect(await test.states(place)).toEqual({ [uuid]: 'installed' });
    expect(await test.history(uuid)).toEqual(['SUCCESS: Pushed to location stuck']);
  });
});
