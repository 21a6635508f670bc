import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { MAX_DELETIONS } from './delete.ts';
import { makeCertificate, makeRoot } from '../testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
beforeAll(async () => {
  test = await createTestInventory();
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

describe('deleting', () => {
  it('removes the certificate with all that belongs to it, and records it', async () => {
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

  it('keeps content that a failed certificate still shows as evidence', async () => {
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

  it('leaves what a CA issued in place, without its issuer', async () => {
    const root = await makeRoot('Deleted Root');
    const rootUuid = await test.upload(root.der);
    const uuid = await test.upload((await makeCertificate('child.test', { issuer: root })).der);
    await test.inventory.remove(rootUuid, test.context);
    expect((await test.inventory.detail(uuid, test.context)).issuerCertificateUuid).toBeUndefined();
    expect((await test.inventory.validate(uuid, test.context)).resultStatus).toBe('invalid');
  });

  it('is refused while a user signs in with it, and the message names the user', async () => {
    const uuid = await uploaded('bound.test');
    test.bindings.set(uuid, 'carol');
    await expect(test.inventory.remove(uuid, test.context)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('carol'),
    });
    expect(await exists(uuid)).toBe(true);
  });

  it('is refused for the CA certificate of an RA profile, and the message names the profile', async () => {
    const uuid = await test.upload((await makeRoot('In Use')).der);
    await test.addProfile('in-use', { caCertificateUuid: uuid });
    await expect(test.inventory.remove(uuid, test.context)).rejects.toThrow('in-use');
  });

  it.each(['certificate_uuid', 'predecessor_uuid'] as const)(
    'is refused while an operation has it as its %s',
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

  it('is not found for an unknown certificate', async () => {
    await expect(test.inventory.remove(newUuid(), test.context)).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('deleting many', () => {
  it('is done when the answer comes', async () => {
    const uuids = await Promise.all(['x', 'y', 'z'].map((name) => uploaded(`${name}.many.test`)));
    expect(await removeMany(uuids)).toEqual({
      status: 'SUCCESS',
      failedItem: 0,
      message: '3 certificates were deleted.',
    });
    expect(await Promise.all(uuids.map(exists))).toEqual([false, false, false]);
  });

  it('deletes what can be deleted and says what could not, and why', async () => {
    const [free, bound, unknown] = [await uploaded('free.test'), await uploaded('kept.test'), newUuid()];
    test.bindings.set(bound, 'dave');
    const answer = await removeMany([free, bound, unknown, 'no identifier']);
    expect(answer).toMatchObject({ status: 'PARTIAL', failedItem: 3 });
    for (const part of ['1 of 4', 'dave', unknown]) expect(answer.message).toContain(part);
    expect([await exists(free), await exists(bound)]).toEqual([false, true]);
  });

  it('fails when nothing could be deleted', async () => {
    expect(await removeMany([newUuid()])).toMatchObject({ status: 'FAILED', failedItem: 1 });
  });

  it('deletes as many as the limit allows, and refuses more', async () => {
    const known = await uploaded('among-many.test');
    const uuids = [known, ...Array.from({ length: MAX_DELETIONS - 1 }, newUuid)];
    expect(await removeMany(uuids)).toMatchObject({ status: 'PARTIAL', failedItem: MAX_DELETIONS - 1 });
    await expect(removeMany([...uuids, newUuid()])).rejects.toMatchObject({ code: 'invalid_fields' });
  });

  it('refuses filters, also when they would match everything', async () => {
    const filters = [{ fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'EMPTY' } as const];
    await expect(test.inventory.removeMany({ filters }, test.context)).rejects.toMatchObject({ code: 'not_supported' });
    await expect(test.inventory.removeMany({ filters: [] }, test.context)).rejects.toMatchObject({
      code: 'not_supported',
    });
  });
});
