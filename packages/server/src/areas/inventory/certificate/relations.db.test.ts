import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { makeCertificate, makeRoot, type CertificateSpec } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
beforeAll(async () => {
  test = await createTestInventory();
});

const DAY_MS = 86_400_000;
const made = async (name: string, daysAgo: number, wish: CertificateSpec = {}) => {
  const certificate = await makeCertificate(name, { notBefore: new Date(Date.now() - daysAgo * DAY_MS), ...wish });
  return { ...certificate, uuid: await test.upload(certificate.der) };
};
const relations = (uuid: string) => test.inventory.relations(uuid, test.context);
const associate = (uuid: string, other: string) => test.inventory.associate([uuid, other], test.context);

describe('certificate relations', () => {
  it('are ordered by validity, regardless of which certificate is named first, and can be removed', async () => {
    const [older, newer] = [await made('related.test', 20), await made('related.test', 10)];
    await associate(older.uuid, newer.uuid);
    expect(await relations(newer.uuid)).toMatchObject({
      certificateUuid: newer.uuid,
      successorCertificates: [],
      predecessorCertificates: [{ uuid: older.uuid, commonName: 'related.test', state: 'issued' }],
    });
    expect((await relations(older.uuid)).successorCertificates).toMatchObject([{ uuid: newer.uuid }]);
    const [entry] = await test.inventory.history(newer.uuid);
    expect(entry).toMatchObject({ event: 'Update Entity', message: 'Succeeds related.test' });
    expect((await test.audited()).at(-1)).toMatchObject({ operation: 'associate' });
    await expect(associate(newer.uuid, older.uuid)).rejects.toMatchObject({ code: 'already_exists' });
    await test.inventory.dissociate([older.uuid, newer.uuid], test.context);
    expect((await relations(newer.uuid)).predecessorCertificates).toEqual([]);
    await expect(test.inventory.dissociate([older.uuid, newer.uuid], test.context)).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('distinguish a renewal (same key), a rekey (same names) and a replacement', async () => {
    const issuer = await makeRoot('Relating Root');
    await test.upload(issuer.der);
    const old = await made('kind.test', 30, { issuer });
    const renewed = await made('kind.test', 20, { issuer, keys: old.keys });
    const rekeyed = await made('kind.test', 10, { issuer });
    const other = await made('other-kind.test', 5, { issuer });
    for (const successor of [renewed, rekeyed, other]) await associate(successor.uuid, old.uuid);
    const kinds = (await relations(old.uuid)).successorCertificates?.map((each) => [each.uuid, each.relationType]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        [renewed.uuid, 'renewal'],
        [rekeyed.uuid, 'rekey'],
        [other.uuid, 'replacement'],
      ]),
    );
  });

  it('are rejected between a certificate and itself, between different types, and for archived or missing certificates', async () => {
    const [leaf, later] = [await made('leaf.test', 9), await made('later.test', 8)];
    const root = await test.upload((await makeRoot('No Successor')).der);
    await expect(associate(leaf.uuid, leaf.uuid)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(associate(leaf.uuid, root)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(associate(leaf.uuid, newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
    await test.inventory.archiveOne(later.uuid, true, test.context);
    await expect(associate(leaf.uuid, later.uuid)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});
