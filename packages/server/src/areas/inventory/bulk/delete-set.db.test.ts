import type { Action, Resource } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PermissionSet, ResourceRights } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createMatchedCertificates } from '../search/matched.ts';
import { createCertificateFields } from '../search/search-fields.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { MAX_BEFORE_RESPONSE } from './change-many.ts';
import { createDeleter } from './delete-set.ts';
import { makeCertificate, makeRoot } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
beforeAll(async () => {
  test = await createTestInventory();
  test.declareJobs();
  await test.platform.jobs.start();
  return () => test.platform.jobs.stop();
});

const uploaded = async (name: string) => test.upload((await makeCertificate(name)).der);
const exists = async (uuid: string) => (await test.inventory.describe([uuid], test.context)).length === 1;
const removeMany = (uuids: string[]) => test.inventory.removeMany({ uuids }, test.context);
const countOf = async (table: string, where: string, value: string) => {
  const [row] = await test.platform.database.query<{ count: number }>(
    `SELECT count(*) FROM ${table} WHERE ${where} = $1`,
    [value],
  );
  return row?.count;
};

describe('deletion', () => {
  it('removes the certificate with all related data, and records the deletion', async () => {
    const leaf = await makeCertificate('gone.test');
    const uuid = await test.upload(leaf.der);
    const group = newUuid();
    const { database } = test.platform;
    await database.query(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'g', now(), now())`,
      [group],
    );
    await test.inventory.update(uuid, { groupUuids: [group] }, test.context);
    const { fingerprint = '' } = await test.inventory.detail(uuid, test.context);
    await test.inventory.remove(uuid, test.context);
    expect(await exists(uuid)).toBe(false);
    expect(await countOf('certificate_history', 'certificate_uuid', uuid)).toBe(0);
    expect(await countOf('group_membership', 'object_uuid', uuid)).toBe(0);
    expect(await countOf('certificate_content', 'fingerprint', fingerprint)).toBe(0);
    expect((await test.audited()).at(-1)).toMatchObject({
      operation: 'delete',
      resource_objects: [{ uuid, name: 'gone.test' }],
    });
    await expect(test.upload(leaf.der)).resolves.toBeDefined();
  });

  it('keeps the content if it serves as evidence for a failed certificate', async () => {
    const leaf = await makeCertificate('evidence.test');
    const uuid = await test.upload(leaf.der);
    const { fingerprint = '' } = await test.inventory.detail(uuid, test.context);
    await test.platform.database.query(
      `INSERT INTO certificate (uuid, state, common_name, subject_dn, subject_dn_normalized, public_key_algorithm, public_key_fingerprint, key_size, fingerprint, created_at, updated_at)
       VALUES ($1, 'failed', 'evidence.test', '', '', 'ECDSA', '', 256, $2, now(), now())`,
      [newUuid(), fingerprint],
    );
    await test.inventory.remove(uuid, test.context);
    expect(await countOf('certificate_content', 'fingerprint', fingerprint)).toBe(1);
  });

  it('keeps the certificates that a deleted CA issued, without their issuer', async () => {
    const root = await makeRoot('Deleted Root');
    const rootUuid = await test.upload(root.der);
    const uuid = await test.upload((await makeCertificate('child.test', { issuer: root })).der);
    await test.inventory.remove(rootUuid, test.context);
    expect((await test.inventory.detail(uuid, test.context)).issuerCertificateUuid).toBeUndefined();
    expect((await test.inventory.validate(uuid, test.context)).resultStatus).toBe('invalid');
  });

  it('is rejected if a user signs in with the certificate, and the error names the user', async () => {
    const uuid = await uploaded('bound.test');
    test.bindings.set(uuid, 'carol');
    await expect(test.inventory.remove(uuid, test.context)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('carol'),
    });
    expect(await exists(uuid)).toBe(true);
  });

  it('is rejected for the CA certificate of an RA profile, and the error names the profile', async () => {
    const uuid = await test.upload((await makeRoot('In Use')).der);
    await test.addProfile('in-use', { caCertificateUuid: uuid });
    await expect(test.inventory.remove(uuid, test.context)).rejects.toThrow('in-use');
  });

  it.each(['certificate_uuid', 'predecessor_uuid'] as const)(
    'is rejected while an operation uses the certificate as its %s',
    async (role) => {
      const uuid = await uploaded(`${role}.test`);
      const other = await uploaded(`other of ${role}.test`);
      await test.platform.database.query(
        `INSERT INTO certificate_operation (uuid, certificate_uuid, predecessor_uuid, kind, state, ra_profile_uuid, requester_name, payload, leased_by, leased_until, created_at)
       VALUES ($1, $2, $3, 'renew', 'pending', $1, 'alice', '{}', $1, now(), now())`,
        [newUuid(), role === 'certificate_uuid' ? uuid : other, role === 'certificate_uuid' ? null : uuid],
      );
      await expect(test.inventory.remove(uuid, test.context)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    },
  );

  it('returns not found for an unknown certificate', async () => {
    await expect(test.inventory.remove(newUuid(), test.context)).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('bulk deletion', () => {
  it('is complete when the response is returned', async () => {
    const uuids = await Promise.all(['x', 'y', 'z'].map((name) => uploaded(`${name}.many.test`)));
    expect(await removeMany(uuids)).toEqual({
      status: 'SUCCESS',
      failedItem: 0,
      message: '3 certificates were deleted.',
    });
    expect(await Promise.all(uuids.map(exists))).toEqual([false, false, false]);
  });

  it('deletes all certificates that can be deleted, and reports the others with the reasons', async () => {
    const [free, bound, unknown] = [await uploaded('free.test'), await uploaded('kept.test'), newUuid()];
    test.bindings.set(bound, 'dave');
    const answer = await removeMany([free, bound, unknown, 'no identifier']);
    expect(answer).toMatchObject({ status: 'PARTIAL', failedItem: 3 });
    for (const part of ['1 of 4', 'dave', unknown]) expect(answer.message).toContain(part);
    expect([await exists(free), await exists(bound)]).toEqual([false, true]);
  });

  it('fails if no certificate could be deleted', async () => {
    expect(await removeMany([newUuid()])).toMatchObject({ status: 'FAILED', failedItem: 1 });
  });

  it('of a longer list continues after the response, which contains the URL for tracking its progress', async () => {
    const known = await uploaded('among-many.test');
    const uuids = [known, ...Array.from({ length: MAX_BEFORE_RESPONSE }, newUuid)];
    const answer = await removeMany([...uuids, 'no identifier']);
    expect(answer).toMatchObject({ status: 'PARTIAL', failedItem: 1 });
    const [, change = ''] = /changes\/(\S+) returns/.exec(answer.message) ?? [];
    await expect
      .poll(async () => (await test.inventory.change(change, test.context)).finishedAt, { timeout: 20_000 })
      .toBeDefined();
    expect(await test.inventory.change(change, test.context)).toMatchObject({
      kind: 'delete',
      total: MAX_BEFORE_RESPONSE + 1,
      changed: 1,
      refused: MAX_BEFORE_RESPONSE,
    });
    expect(await exists(known)).toBe(false);
  });
});

describe('deletion by filter', () => {
  const rowsNamed = (commonName: string, count: number) =>
    Array.from({ length: count }, () => ({ common_name: commonName }));
  const named = (part: string, condition: 'CONTAINS' | 'MATCHES' = 'CONTAINS') =>
    ({ fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition, value: part }) as const;
  const removeMatching = (...filters: readonly ReturnType<typeof named>[]) =>
    test.inventory.removeMany({ filters: [...filters] }, test.context);

  it('deletes the certificates that the list shows for the same filters, and no archived ones', async () => {
    const matching = await Promise.all(['a', 'b'].map((name) => uploaded(`${name}.filtered.test`)));
    const [other, archived] = [await uploaded('a.other.test'), await uploaded('old.filtered.test')];
    await test.platform.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [archived]);
    expect(await removeMatching(named('filtered.test'), named('^[ab]\\.', 'MATCHES'))).toEqual({
      status: 'SUCCESS',
      failedItem: 0,
      message: '2 certificates were deleted.',
    });
    expect(await Promise.all([...matching, other, archived].map(exists))).toEqual([false, false, true, true]);
    const [record] = (await test.audited()).slice(-1);
    expect(record?.resource_objects?.map(({ uuid }) => uuid).toSorted()).toEqual(matching.toSorted());
    const [told] = await test.platform.database.query<{ data: unknown }>(
      'SELECT operation_data AS data FROM audit_record ORDER BY id DESC LIMIT 1',
    );
    expect(told?.data).toMatchObject({ filters: [{ value: 'filtered.test' }, { condition: 'MATCHES' }] });
  });

  it('reports the certificates that could not be deleted, and the reasons', async () => {
    const [free, bound] = [await uploaded('free.held.test'), await uploaded('bound.held.test')];
    test.bindings.set(bound, 'erin');
    const answer = await removeMatching(named('held.test'));
    expect(answer).toMatchObject({ status: 'PARTIAL', failedItem: 1, message: expect.stringContaining('erin') });
    expect([await exists(free), await exists(bound)]).toEqual([false, true]);
  });

  it('deletes larger numbers of certificates in a job with exact counts, and reports those that could not be deleted', async () => {
    const { database } = test.platform;
    await insertRows(database, rowsNamed('mass.test', MAX_BEFORE_RESPONSE + 5));
    const [bound] = await database.query<{ uuid: string }>(
      `SELECT uuid FROM certificate WHERE common_name = 'mass.test' ORDER BY uuid DESC LIMIT 1`,
    );
    test.bindings.set(bound?.uuid ?? '', 'frank');
    expect(await removeMatching(named('mass.test'))).toMatchObject({ status: 'SUCCESS', failedItem: 0 });
    const newest = async () => (await test.inventory.changes(test.context))[0];
    await expect.poll(async () => (await newest())?.finishedAt, { timeout: 20_000 }).toBeDefined();
    const change = await test.inventory.change((await newest())?.uuid ?? '', test.context);
    expect(change).toMatchObject({
      kind: 'delete',
      selection: { filters: [{ value: 'mass.test' }] },
      total: MAX_BEFORE_RESPONSE + 5,
      changed: MAX_BEFORE_RESPONSE + 4,
      refused: 1,
      refusals: [{ uuid: bound?.uuid, name: 'mass.test', message: expect.stringContaining('frank') }],
    });
    expect(await countOf('certificate', 'common_name', 'mass.test')).toBe(1);
  });

  it('skips certificates that no longer match when they are processed', async () => {
    const [first, second] = [await uploaded('one.turned.test'), await uploaded('kept.test')];
    const { deleteSet } = createDeleter({
      ...test,
      users: { findUsersOfCertificates: () => Promise.resolve([]) },
      findMatched: createMatchedCertificates({ ...test, fields: createCertificateFields([]) }),
    });
    const asked = { filters: [named('turned.test')] };
    const { done, refused } = await deleteSet({ asked, uuids: [first, second], context: test.context });
    expect(done).toEqual([first]);
    expect(refused).toMatchObject([{ uuid: second, error: { message: expect.stringContaining('no longer matches') } }]);
    expect([await exists(first), await exists(second)]).toEqual([false, true]);
  });

  it('rejects the deletion of more certificates than a request allows', async () => {
    await insertRows(test.platform.database, rowsNamed('too-many.test', 3));
    const findMatched = createMatchedCertificates({ ...test, fields: createCertificateFields([]), maxMatched: 2 });
    const found = findMatched({ filters: [named('too-many.test')] }, test.context, 'delete').findMatching();
    await expect(found).rejects.toThrow('More than 2 certificates');
  });

  it('accepts search text, and includes archived certificates on request', async () => {
    const [shown, archived] = [await uploaded('shown.word.test'), await uploaded('archived.word.test')];
    await test.inventory.archiveOne(archived, true, test.context);
    const remove = (includeArchived: boolean) =>
      test.inventory.startDeletion({ selection: { text: 'word.test', includeArchived } }, test.context);
    expect(await remove(false)).toMatchObject({ total: 1, changed: 1, selection: { text: 'word.test' } });
    expect([await exists(shown), await exists(archived)]).toEqual([false, true]);
    expect(await remove(true)).toMatchObject({ total: 1, changed: 1 });
    expect(await exists(archived)).toBe(false);
    await expect(test.inventory.startDeletion({ selection: { text: ' ' } }, test.context)).rejects.toMatchObject({
      code: 'invalid_fields',
    });
  });

  it('skips certificates that the caller cannot list', async () => {
    const [mine, foreign] = [await test.addProfile('mine'), await test.addProfile('foreign')];
    const of = async (raProfile: string, name: string) => {
      const uuid = await uploaded(name);
      await test.platform.database.query('UPDATE certificate SET ra_profile_uuid = $2 WHERE uuid = $1', [
        uuid,
        raProfile,
      ]);
      return uuid;
    };
    const uuids = [
      await of(mine.uuid, 'mine.rights.test'),
      await of(foreign.uuid, 'foreign.rights.test'),
      await uploaded('none.rights.test'),
    ];
    const remove = (permissions: PermissionSet) =>
      test.inventory.removeMany(
        { filters: [named('rights.test')] },
        { ...test.context, actor: { ...test.context.actor, permissions } },
      );
    const none: ReadonlySet<Action> = new Set();
    const objects = new Map([[mine.uuid, { allowed: new Set<Action>(['members']), denied: none }]]);
    const membership = ['raProfiles', { actions: none, allowAllActions: false, objects }] as const;
    const listing = ['certificates', { actions: new Set<Action>(['list', 'delete']), allowAllActions: false }] as const;
    const limitedTo = (...rights: readonly (readonly [Resource, ResourceRights])[]): PermissionSet => ({
      allowAllResources: false,
      resources: new Map(rights),
    });
    await expect(remove(limitedTo(membership))).rejects.toMatchObject({ code: 'access_denied' });
    expect(await remove(limitedTo(membership, listing))).toMatchObject({ message: '1 certificate was deleted.' });
    expect(await Promise.all(uuids.map(exists))).toEqual([false, true, true]);
  });

  it('rejects a missing filter, a filter combined with a list, and an unreadable filter', async () => {
    const uuid = await uploaded('stays.test');
    for (const request of [{ filters: [] }, { filters: [named('stays')], uuids: [uuid] }])
      await expect(test.inventory.removeMany(request, test.context)).rejects.toMatchObject({ code: 'invalid_fields' });
    await expect(removeMatching(named('(', 'MATCHES'))).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await exists(uuid)).toBe(true);
    expect(await test.inventory.removeMany({ filters: [], uuids: [uuid] }, test.context)).toMatchObject({
      status: 'SUCCESS',
    });
  });
});
