import type { CertificateUpdateObjectsDto, MetadataAttribute } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { makeCertificate, makeRoot } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
let web: string;
let mail: string;
let bob: string;

beforeAll(async () => {
  test = await createTestInventory();
  [web, mail, bob] = [newUuid(), newUuid(), newUuid()];
  await test.platform.database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'web', now(), now()), ($2, 'mail', now(), now())`,
    [web, mail],
  );
  test.usernames.set(bob, 'bob');
});

const uploaded = async (name: string) => test.upload((await makeCertificate(name)).der);
const update = (uuid: string, changes: CertificateUpdateObjectsDto) =>
  test.inventory.update(uuid, changes, test.context);
const entries = async (uuid: string, event: string) =>
  (await test.inventory.history(uuid))
    .filter((entry) => entry.event === event)
    .map(({ status, message }) => `${status} ${message}`);

const slot: MetadataAttribute = {
  version: 2,
  uuid: newUuid(),
  name: 'slot',
  type: 'meta',
  contentType: 'string',
  content: [{ data: 'one' }],
  properties: { label: 'Slot', visible: true, global: false, overwrite: false },
};

describe("changing a certificate's assignments", () => {
  it('sets, keeps and removes the owner', async () => {
    const uuid = await uploaded('owner.test');
    await update(uuid, { ownerUuid: bob });
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ owner: 'bob', ownerUuid: bob });
    await update(uuid, { groupUuids: [] });
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ owner: 'bob' });
    await update(uuid, { ownerUuid: '' });
    expect((await test.inventory.detail(uuid, test.context)).owner).toBeUndefined();
    expect(await entries(uuid, 'Update Owner')).toEqual(['SUCCESS bob -> undefined', 'SUCCESS undefined -> bob']);
  });

  it('sets and removes groups', async () => {
    const uuid = await uploaded('groups.test');
    await update(uuid, { groupUuids: [web, mail] });
    await update(uuid, { groupUuids: [mail] });
    expect((await test.inventory.detail(uuid, test.context)).groups).toMatchObject([{ uuid: mail, name: 'mail' }]);
    await update(uuid, { groupUuids: [] });
    expect((await test.inventory.detail(uuid, test.context)).groups).toEqual([]);
    expect(await entries(uuid, 'Update Group')).toEqual([
      'SUCCESS mail -> undefined',
      'SUCCESS mail, web -> mail',
      'SUCCESS undefined -> mail, web',
    ]);
  });

  it('marks a CA certificate as trusted, and rejects this for all other certificates', async () => {
    const uuid = await test.upload((await makeRoot('Update Root')).der);
    await update(uuid, { trustedCa: true });
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({
      trustedCa: true,
      validationStatus: 'valid',
    });
    const leaf = await uploaded('no-ca.test');
    await expect(update(leaf, { trustedCa: true })).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('asks the authority before it assigns an RA profile, and stores the returned metadata', async () => {
    const uuid = await uploaded('profile.test');
    const [first, second] = [await test.addProfile('first'), await test.addProfile('second')];
    test.identify = (profile) => Promise.resolve(profile.uuid === first.uuid ? [slot] : []);
    await update(uuid, { raProfileUuid: first.uuid });
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({
      raProfile: { uuid: first.uuid, name: 'first', authorityInstanceUuid: first.authorityUuid },
      metadata: [{ connectorUuid: first.connectorUuid, items: [{ name: 'slot' }] }],
    });
    await update(uuid, { raProfileUuid: second.uuid });
    expect((await test.inventory.detail(uuid, test.context)).metadata).toEqual([]);
    await update(uuid, { raProfileUuid: '' });
    expect((await test.inventory.detail(uuid, test.context)).raProfile).toBeUndefined();
    expect(await entries(uuid, 'Update RA Profile')).toEqual([
      'SUCCESS second -> undefined',
      'SUCCESS first -> second',
      'SUCCESS undefined -> first',
    ]);
  });

  it.each([
    ['does not know it', () => notFound('Certificate', 'x')],
    ['finds that it does not fit', () => rejected('another profile')],
  ])('rejects an RA profile with 400 if its authority %s, and records this in the history', async (_why, error) => {
    const uuid = await uploaded(`refused-${newUuid()}.test`);
    const profile = await test.addProfile(`refusing ${newUuid()}`);
    test.identify = () => Promise.reject(error());
    await expect(update(uuid, { raProfileUuid: profile.uuid, ownerUuid: bob })).rejects.toMatchObject({
      code: 'certificate_operation',
      message: expect.stringContaining(profile.name),
    });
    const detail = await test.inventory.detail(uuid, test.context);
    expect([detail.raProfile, detail.owner]).toEqual([undefined, undefined]);
    expect(await entries(uuid, 'Update RA Profile')).toEqual([
      expect.stringMatching(`^FAILED undefined -> ${profile.name}: `),
    ]);
  });

  it('reports that the authority is unreachable', async () => {
    const uuid = await uploaded('unreachable.test');
    const profile = await test.addProfile('unreachable');
    test.identify = () => Promise.reject(new AppError('connector_unreachable', { connector: 'x', reason: 'refused' }));
    await expect(update(uuid, { raProfileUuid: profile.uuid })).rejects.toMatchObject({
      code: 'connector_unreachable',
    });
  });

  it('creates one audit record per change, and none if nothing changes', async () => {
    const uuid = await uploaded('one.test');
    const before = await test.audited();
    await update(uuid, { ownerUuid: bob, groupUuids: [web] });
    await update(uuid, { ownerUuid: bob, groupUuids: [web] });
    expect((await test.audited()).slice(before.length)).toMatchObject([
      { operation: 'update', resource_objects: [{ uuid }] },
    ]);
  });

  it.each([
    ['owner', { ownerUuid: '00000000-0000-7000-8000-00000000ffff' }],
    ['owner that is not an identifier', { ownerUuid: 'bob' }],
    ['group', { groupUuids: ['00000000-0000-7000-8000-00000000ffff'] }],
    ['group that is not an identifier', { groupUuids: ['web'] }],
    ['RA profile', { raProfileUuid: '00000000-0000-7000-8000-00000000ffff' }],
    ['RA profile that is not an identifier', { raProfileUuid: 'default' }],
  ])('returns not found for an unknown %s', async (_what, changes) => {
    const uuid = await uploaded(`unknown-${newUuid()}.test`);
    await expect(update(uuid, changes)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is rejected for archived certificates', async () => {
    const uuid = await uploaded('archived.test');
    await test.platform.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]);
    await expect(update(uuid, { ownerUuid: bob })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('keeps the certificates of a removed RA profile, without the profile', async () => {
    const uuid = await uploaded('released.test');
    const profile = await test.addProfile('to be removed');
    test.identify = () => Promise.resolve([]);
    await update(uuid, { raProfileUuid: profile.uuid });
    await test.platform.database.transaction((tx) => test.inventory.onRaProfilesRemoved(tx, [profile.uuid]));
    expect((await test.inventory.detail(uuid, test.context)).raProfile).toBeUndefined();
  });
});
