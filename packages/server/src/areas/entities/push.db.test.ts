// Outcomes of a push to a fake connector whose responses the test controls.
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';
import { formValue, PUSH } from './testing/key-store-connector.ts';

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});

const rejectionWith = (act: Promise<unknown>, problem: string) =>
  expect(act).rejects.toMatchObject({ code: 'rejected_by_rules', parameters: { problems: [problem] } });
const pushes = () => test.connector.callsTo(PUSH).length;
const setState = (uuid: string, state: string) =>
  test.database.query('UPDATE certificate SET state = $2 WHERE uuid = $1', [uuid, state]);
const rowOf = async (place: Path, uuid: string) =>
  (await test.held(place)).find((row) => row.certificate_uuid === uuid);

describe('a successful push', () => {
  it('stores the certificate in the location with its attributes, and records the metadata from the provider', async () => {
    const [place, pushed] = [await test.addLocation('pushed'), await test.certificate('pushed.test')];
    const shown = await test.push(place, pushed.uuid, { attributes: [formValue('data_alias', 'web')] });
    expect(test.connector.callsTo(PUSH).at(-1)?.body).toMatchObject({
      certificate: pushed.base64,
      certificateType: 'X.509',
      locationAttributes: [{ name: 'data_shelf', content: [{ data: 'pushed' }] }],
      pushAttributes: [{ name: 'data_alias', content: [{ data: 'web' }] }],
    });
    expect(shown.certificates).toMatchObject([
      {
        certificateUuid: pushed.uuid,
        deployment: 'installed',
        pushAttributes: [{ name: 'data_alias', content: [{ data: 'web' }] }],
        metadata: [{ items: [{ name: 'meta_alias', content: [{ data: 'alias 0' }] }] }],
      },
    ]);
    expect(await test.history(pushed.uuid)).toEqual(['SUCCESS: Pushed to location pushed']);
    expect((await rowOf(place, pushed.uuid))?.requested_by).toBe('alice');
  });

  it('replaces the existing certificate on request', async () => {
    const place = await test.addLocation('replacing', { single: true });
    const [first, second] = [await test.certificate('first.test'), await test.certificate('second.test')];
    await test.push(place, first.uuid);
    const before = pushes();
    await rejectionWith(
      test.push(place, second.uuid),
      'Location replacing already holds a certificate and cannot hold more than one. Replace it, or remove it first.',
    );
    expect(pushes()).toBe(before);
    await test.push(place, second.uuid, { replace: true });
    expect(await test.states(place)).toEqual({ [second.uuid]: 'installed' });
    expect(test.shelf('replacing')).toMatchObject([{ certificateData: second.base64 }]);
  });

  it('prevents a concurrent push to a single-certificate location', async () => {
    const place = await test.addLocation('contended', { single: true });
    const both = [await test.certificate('one.test'), await test.certificate('other.test')];
    const outcomes = await Promise.allSettled(both.map(({ uuid }) => test.push(place, uuid)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(await test.states(place))).toEqual(['installed']);
  });
});

describe('a push that the provider does not complete', () => {
  it('is recorded as failed with the reason, including in the history, and can be retried', async () => {
    const place = await test.addLocation('full', { single: true });
    const [pushed, other] = [await test.certificate('full.test'), await test.certificate('fits.test')];
    test.fail(PUSH, { behaviour: { status: 422, body: ['The shelf is full.', 'It is old.'] } });
    await expect(test.push(place, pushed.uuid)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await rowOf(place, pushed.uuid)).toMatchObject({
      state: 'failed',
      problem: 'The shelf is full.; It is old.',
    });
    expect(await test.history(pushed.uuid)).toEqual([
      'FAILED: Push to location full failed: The shelf is full.; It is old.',
    ]);
    await test.push(place, other.uuid);
    expect(await test.states(place)).toEqual({ [pushed.uuid]: 'failed', [other.uuid]: 'installed' });
    await test.push(place, pushed.uuid, { replace: true });
    expect(await rowOf(place, pushed.uuid)).toMatchObject({ state: 'installed', problem: null });
  });

  it.each([
    ['resets the connection', 'reset'],
    ['returns status 500', { status: 500, body: { message: 'oops' } }],
  ] as const)('has an unknown outcome if the provider %s, until the location is read', async (how, behaviour) => {
    const [done, lost] = [await test.certificate(`done ${how}`), await test.certificate(`lost ${how}`)];
    const place = await test.addLocation(`undecided ${how}`);
    test.fail(PUSH, { behaviour, afterEffect: true });
    await expect(test.push(place, done.uuid)).rejects.toMatchObject({ code: expect.stringMatching(/^connector_/) });
    test.fail(PUSH, { behaviour });
    await expect(test.push(place, lost.uuid)).rejects.toMatchObject({ code: expect.stringMatching(/^connector_/) });
    expect(await test.states(place)).toEqual({ [done.uuid]: 'pushing', [lost.uuid]: 'pushing' });
    expect(await test.history(done.uuid)).toEqual([]);
    await test.call('syncLocation', { params: place });
    expect(await test.states(place)).toEqual({ [done.uuid]: 'installed', [lost.uuid]: 'pushing' });
  });
});

describe('a push is rejected', () => {
  it('if the location is disabled, does not exist, or belongs to a different entity', async () => {
    const [place, { uuid }] = [await test.addLocation('closed'), await test.certificate('closed.test')];
    await test.call('disableLocation', { params: place });
    await rejectionWith(test.push(place, uuid), 'Location closed is disabled. Enable it first.');
    const missing = { code: 'object_not_found', parameters: { what: 'Location' } };
    await expect(test.push({ ...place, locationUuid: newUuid() }, uuid)).rejects.toMatchObject(missing);
    await expect(test.push({ ...place, entityUuid: newUuid() }, uuid)).rejects.toMatchObject(missing);
    expect(await test.states(place)).toEqual({});
  });

  it("if the location's entity has no connector", async () => {
    const entity = await test.createEntity('orphan');
    const place = await test.addLocation('orphaned', { entity });
    const { uuid } = await test.certificate('orphaned.test');
    await test.database.query('UPDATE entity SET connector_uuid = NULL WHERE uuid = $1', [entity]);
    await expect(test.push(place, uuid)).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'Entity orphan is without its connector; this operation requires a connector.',
    });
  });

  it.each(['failed', 'rejected', 'revoked', 'pending_revoke'])('if the certificate is %s', async (state) => {
    const place = await test.addLocation(`for ${state}`);
    const { uuid } = await test.certificate(`${state}.test`);
    await setState(uuid, state);
    await expect(test.push(place, uuid)).rejects.toMatchObject({
      code: 'invalid_state',
      message: `Certificate ${state}.test is ${state}; this operation requires an issued or pending certificate.`,
    });
    expect(await test.states(place)).toEqual({});
  });

  it('if the certificate is archived or unknown', async () => {
    const [place, { uuid }] = [await test.addLocation('for archived'), await test.certificate('archived.test')];
    await test.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]);
    await rejectionWith(test.push(place, uuid), 'Certificate archived.test is archived. Unarchive it first.');
    await expect(test.push(place, newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('if its attributes do not match the form, before anything is stored', async () => {
    const [place, { uuid }] = [await test.addLocation('strict'), await test.certificate('strict.test')];
    const attributes = [{ ...formValue('data_alias', 7), contentType: 'integer' }];
    await expect(test.push(place, uuid, { attributes })).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await test.states(place)).toEqual({});
  });
});
