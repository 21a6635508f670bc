import type { Action, Resource, SearchFilterRequestDto } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  allPermissions,
  coreContext,
  noPermissions,
  type RequestContext,
  type ResourceRights,
} from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { makeCertificate } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';
import { MAX_BEFORE_RESPONSE } from './change-many.ts';
import { insertChange } from './store.ts';

let test: TestInventory;
let web: string;
let bob: string;
let context: RequestContext;

beforeAll(async () => {
  test = await createTestInventory();
  [web, bob] = [newUuid(), newUuid()];
  const { actor } = coreContext('');
  context = { ...test.context, actor: { ...actor, type: 'user', userUuid: newUuid(), username: 'alice' } };
  test.usernames.set(bob, 'bob');
  test.declareJobs();
  await test.platform.jobs.start();
  await test.platform.database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'web', now(), now())`,
    [web],
  );
  return () => test.platform.jobs.stop();
});

const uploaded = async (name: string) => test.upload((await makeCertificate(name)).der);
const detail = (uuid: string) => test.inventory.detail(uuid, test.context);
const newest = async () => {
  const [change] = await test.inventory.changes(context);
  return change ? test.inventory.change(change.uuid, context) : expect.fail('There is no change.');
};
const named = (value: string): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier: 'COMMON_NAME',
  condition: 'STARTS_WITH',
  value,
});

describe('changing multiple certificates', () => {
  it('assigns the owner and groups to the listed certificates, with a history entry for each and one audit record', async () => {
    const uuids = [await uploaded('one.many.test'), await uploaded('two.many.test')];
    const before = (await test.audited()).length;
    await test.inventory.updateMany({ certificateUuids: uuids, ownerUuid: bob, groupUuids: [web] }, context);
    for (const uuid of uuids) {
      expect(await detail(uuid)).toMatchObject({ owner: 'bob', groups: [{ uuid: web }] });
      const events = (await test.inventory.history(uuid)).map(({ event, message }) => `${event}: ${message}`);
      expect(events).toEqual(
        expect.arrayContaining(['Update Owner: undefined -> bob', 'Update Group: undefined -> web']),
      );
    }
    const records = (await test.audited()).slice(before);
    expect(records).toHaveLength(1);
    expect(records[0]?.resource_objects?.map(({ uuid }) => uuid).toSorted()).toEqual(uuids.toSorted());
    expect(await newest()).toMatchObject({ kind: 'update', total: 2, changed: 2, refused: 0, refusals: [] });
  });

  it('changes the remaining certificates if some are archived or missing, and reports those that are', async () => {
    const [kept, archived, gone] = [await uploaded('kept.test'), await uploaded('shelved.test'), newUuid()];
    await test.inventory.archiveOne(archived, true, context);
    await test.inventory.updateMany({ certificateUuids: [kept, archived, gone], ownerUuid: bob }, context);
    expect(await detail(kept)).toMatchObject({ owner: 'bob' });
    expect((await detail(archived)).owner).toBeUndefined();
    const change = await newest();
    expect(change).toMatchObject({ total: 3, changed: 1, refused: 2 });
    expect(change.finishedAt).toBeDefined();
    expect(change.refusals.map(({ uuid, message }) => [uuid, message])).toEqual(
      expect.arrayContaining([
        [archived, 'Certificate shelved.test is archived; this operation requires a certificate that is not archived.'],
        [gone, expect.stringContaining('does not exist')],
      ]),
    );
  });

  it('is rejected if none of the changes are possible', async () => {
    const uuid = await uploaded('refused.test');
    const missing = newUuid();
    const update = (body: object) => test.inventory.updateMany({ certificateUuids: [uuid], ...body }, context);
    await expect(update({ groupUuids: [missing] })).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(update({ ownerUuid: missing })).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(update({ raProfileUuid: missing })).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(update({ filters: [named('refused')] })).rejects.toMatchObject({ code: 'invalid_fields' });
    await test.inventory.archiveOne(uuid, true, context);
    await expect(update({ ownerUuid: bob })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it("has the new RA profile's authority identify each certificate, and can remove the profile", async () => {
    const [first, second] = [await uploaded('known.authority.test'), await uploaded('unknown.authority.test')];
    const profile = await test.addProfile('bulk');
    let asked = 0;
    test.identify = async () => {
      asked += 1;
      return [];
    };
    await test.inventory.updateMany({ certificateUuids: [first, second], raProfileUuid: profile.uuid }, context);
    expect(asked).toBe(2);
    expect(await detail(second)).toMatchObject({ raProfile: { uuid: profile.uuid } });
    await test.inventory.updateMany({ certificateUuids: [first, second], raProfileUuid: '' }, context);
    expect((await detail(first)).raProfile).toBeUndefined();
  });

  it('changes the certificates that match filters, and runs larger changes in a job with exact counts', async () => {
    const count = MAX_BEFORE_RESPONSE + 5;
    await insertRows(
      test.platform.database,
      Array.from({ length: count }, (_, index) => ({ common_name: `mass${index}.bulk.test` })),
    );
    await test.inventory.updateMany({ filters: [named('mass')], ownerUuid: bob }, context);
    await expect.poll(async () => (await newest()).finishedAt, { timeout: 20_000 }).toBeDefined();
    expect(await newest()).toMatchObject({ total: count, changed: count, refused: 0 });
    const [row] = await test.platform.database.query(
      `SELECT count(*)::int AS owned, (SELECT count(*)::int FROM certificate_history WHERE event = 'Update Owner'
         AND certificate_uuid IN (SELECT uuid FROM certificate WHERE common_name LIKE 'mass%')) AS told
       FROM certificate WHERE owner_uuid = $1 AND common_name LIKE 'mass%'`,
      [bob],
    );
    expect(row).toEqual({ owned: count, told: count });
  });

  it('describes the requested change, with the names used at that time', async () => {
    const uuid = await uploaded('words.test');
    const given = { ownerUuid: bob, groupUuids: [web] };
    const change = await test.inventory.startUpdate({ certificateUuids: [uuid], ...given }, context);
    expect(change).toMatchObject({
      assigned: { owner: 'bob', groups: ['web'] },
      requestedBy: 'alice',
      changed: 1,
      stoppable: false,
    });
    expect(change.selection).toBeUndefined();
    const removed = await test.inventory.startUpdate({ certificateUuids: [uuid], ownerUuid: '' }, context);
    expect(removed.assigned).toEqual({ owner: '' });
    for (const request of [{}, { certificateUuids: [uuid], selection: { text: 'words' } }, { selection: {} }])
      await expect(test.inventory.startUpdate({ ...request, ...given }, context)).rejects.toMatchObject({
        code: 'invalid_fields',
      });
  });

  it('archives the results of a search, and restores them', async () => {
    const uuids = [await uploaded('one.chosen.test'), await uploaded('two.chosen.test')];
    const choice = { selection: { filters: [named('one.chosen')], text: 'chosen.test', includeArchived: true } };
    expect(await test.inventory.startArchiving(choice, context)).toMatchObject({ total: 1, changed: 1 });
    expect(await Promise.all(uuids.map(async (uuid) => (await detail(uuid)).archived))).toEqual([true, false]);
    expect(await test.inventory.startUnarchiving(choice, context)).toMatchObject({ kind: 'unarchive', changed: 1 });
    expect(await Promise.all(uuids.map(async (uuid) => (await detail(uuid)).archived))).toEqual([false, false]);
  });

  it('rejects the remaining changes if an object to assign is deleted in the meantime, and completes', async () => {
    const uuids = [await uploaded('left.test')];
    const gone = newUuid();
    const change = newUuid();
    await insertChange(
      test.platform.database.executor,
      { uuid: change, kind: 'update', asked: { groupUuids: [gone] }, requester_uuid: null, requester_name: 'a', started_at: new Date() }, // prettier-ignore
      uuids,
    );
    await test.inventory.resumeChanges();
    test.platform.jobs.wake('certificates.change-many');
    await expect
      .poll(async () => (await test.inventory.change(change, context)).finishedAt, { timeout: 20_000 })
      .toBeDefined();
    expect(await test.inventory.change(change, context)).toMatchObject({
      changed: 0,
      refused: 1,
      refusals: [{ message: expect.stringContaining(gone) }],
    });
  });

  it('can be stopped by the requester or a caller with the same permissions: completed changes remain, and the rest is skipped', async () => {
    const [change, uuids] = [newUuid(), [await uploaded('unreached.test')]];
    await insertChange(
      test.platform.database.executor,
      { uuid: change, kind: 'delete', asked: {}, requester_uuid: newUuid(), requester_name: 'a', started_at: new Date() }, // prettier-ignore
      uuids,
    );
    const stranger = { ...context, actor: { ...context.actor, permissions: noPermissions } };
    await expect(test.inventory.stopChange(change, stranger)).rejects.toMatchObject({ code: 'object_not_found' });
    const only = (action: Action): ResourceRights => ({ actions: new Set([action]), allowAllActions: false });
    const resources = new Map<Resource, ResourceRights>([
      ['certificates', only('detail')],
      ['raProfiles', only('members')],
    ]);
    const auditor = { ...context, actor: { ...context.actor, permissions: { allowAllResources: false, resources } } };
    expect(await test.inventory.change(change, auditor)).toMatchObject({ stoppable: false });
    await expect(test.inventory.stopChange(change, auditor)).rejects.toMatchObject({ code: 'access_denied' });

    expect(await test.inventory.change(change, context)).toMatchObject({ stoppable: true });
    const stopped = await test.inventory.stopChange(change, context);
    expect(stopped).toMatchObject({ total: 1, changed: 0, refused: 0, stoppedBy: 'alice', stoppable: false });
    expect(stopped.finishedAt).toBeDefined();
    expect((await test.audited()).at(-1)).toMatchObject({ operation: 'update' });
    await test.inventory.resumeChanges();
    expect(await test.inventory.stopChange(change, context)).toEqual(stopped);
    expect(await detail(uuids[0] ?? '')).toMatchObject({ commonName: 'unreached.test' });
  });

  it('shows changes to their requester and to users who can see all certificates', async () => {
    const { uuid } = await newest();
    const other = { ...context, actor: { ...context.actor, userUuid: newUuid(), permissions: noPermissions } };
    expect(await test.inventory.changes(other)).toEqual([]);
    await expect(test.inventory.change(uuid, other)).rejects.toMatchObject({ code: 'object_not_found' });
    const auditor = { ...other, actor: { ...other.actor, permissions: allPermissions } };
    expect(await test.inventory.change(uuid, auditor)).toMatchObject({ uuid });
  });
});

describe('the archive', () => {
  it('hides certificates from lists unless archived ones are requested, and can restore them', async () => {
    const uuids = [await uploaded('first.shelf.test'), await uploaded('second.shelf.test')];
    const listed = async (includeArchived: boolean) =>
      (
        await test.inventory.list({ filters: [named('')], itemsPerPage: 1000, pageNumber: 1, includeArchived }, context)
      ).certificates.filter(({ uuid }) => uuids.includes(uuid)).length;
    await test.inventory.archiveMany(uuids, true, context);
    expect([await listed(false), await listed(true)]).toEqual([0, 2]);
    expect((await test.audited()).at(-1)).toMatchObject({ operation: 'archive' });
    await test.inventory.archiveMany(uuids, true, context);
    await test.inventory.archiveMany(uuids, false, context);
    expect(await listed(false)).toBe(2);
    const events = (await test.inventory.history(uuids[0] ?? '')).map(({ event }) => event);
    expect(events.filter((event) => event.endsWith('rchive certificate'))).toEqual([
      'Unarchive certificate',
      'Archive certificate',
    ]);
  });

  it('rejects a certificate that does not exist', async () => {
    await expect(test.inventory.archiveOne(newUuid(), true, context)).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });
});
