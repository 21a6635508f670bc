import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { createAcmeRows, type AcmeRows } from '../testing/acme-rows.ts';
import { crlUrl, defineAttributes, managementFixture, type ManagementFixture } from '../testing/management-fixture.ts';
import { CRL_URL } from '../../../areas/connectors/testing/fake-connector.ts';

let test: ManagementFixture;
let rows: AcmeRows;

beforeAll(async () => {
  test = await managementFixture();
  rows = createAcmeRows(test.database, test.clock);
  defineAttributes(test.connector, { purpose: 'issue', definitions: [CRL_URL] });
});
afterAll(() => test.close());

const values = { issueCertificateAttributes: [crlUrl('http://x')], revokeCertificateAttributes: [] };
const activate = (acmeProfileUuid: string, raProfileUuid: string) =>
  test.call('activateAcmeForRaProfile', {
    params: { authorityUuid: test.authorityUuid, raProfileUuid, acmeProfileUuid },
    body: values,
  });
const acmeOf = (raProfileUuid: string) =>
  test.call('getAcmeForRaProfile', { params: { authorityUuid: test.authorityUuid, raProfileUuid } });
const removeRaProfile = (raProfileUuid: string) =>
  test.call('deleteRaProfileWithoutAuthority', { params: { raProfileUuid } });
const valuesOf = (objectUuid: string) =>
  test.database.query('SELECT FROM attribute_value WHERE object_uuid = $1', [objectUuid]);
const isThere = async (uuid: string) => (await test.call('listAcmeProfiles')).some((profile) => profile.uuid === uuid);

/** An account with an order and two authorizations, one of them valid without an order. */
async function usedAccount(acmeProfileUuid: string, raProfileUuid?: string): Promise<string> {
  const { uuid } = await rows.account({ acmeProfileUuid, ...(raProfileUuid ? { raProfileUuid } : {}) });
  const authorization = await rows.authorization({ accountUuid: uuid });
  await rows.authorization({ accountUuid: uuid, status: 'valid' });
  await rows.order({ accountUuid: uuid, authorizationUuids: [authorization] });
  return uuid;
}
const left = async (accountUuid: string): Promise<number[]> => [
  await rows.count('acme_account', accountUuid),
  await rows.count('acme_order', accountUuid),
  await rows.count('acme_authorization', accountUuid),
];

describe('removing an ACME profile', () => {
  it('takes its accounts with everything in them, its keys and its values, and nothing of others', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const [uuid, other] = [await test.addProfile({ raProfileUuid, ...values }), await test.addProfile()];
    const [account, stranger] = [await usedAccount(uuid), await usedAccount(other)];
    await test.call('createAcmeEabKey', { params: { uuid }, body: {} });
    await test.call('deleteAcmeProfile', { params: { uuid } });
    expect(await isThere(uuid)).toBe(false);
    expect(await left(account)).toEqual([0, 0, 0]);
    expect(await left(stranger)).toEqual([1, 1, 2]);
    expect(await valuesOf(uuid)).toEqual([]);
    expect(await test.database.query('SELECT FROM acme_eab_key WHERE acme_profile_uuid = $1', [uuid])).toEqual([]);
    expect(await test.audits(uuid)).toEqual(['create', 'add', 'delete']);
    await expect(test.call('deleteAcmeProfile', { params: { uuid } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('is refused while it is activated on RA profiles, which are named', async () => {
    const [one, two] = [await test.addRaProfile(), await test.addRaProfile()];
    const [used, free] = [await test.addProfile(), await test.addProfile()];
    await activate(used, one.uuid);
    await activate(used, two.uuid);
    const message = `Dependent RA Profiles (2): ${[one.name, two.name].toSorted().join(', ')}`;
    await expect(test.call('deleteAcmeProfile', { params: { uuid: used } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
      parameters: { problems: [message] },
    });
    const { name } = await test.call('getAcmeProfile', { params: { uuid: used } });
    expect(await test.call('bulkDeleteAcmeProfile', { body: [used, free, newUuid()] })).toEqual([
      { uuid: used, name, message },
    ]);
    expect([await isThere(used), await isThere(free)]).toEqual([true, false]);
    expect((await acmeOf(one.uuid)).acmeAvailable).toBe(true);
  });

  it('by force takes it from the RA profiles, with the values that were given there', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile();
    await activate(uuid, raProfile.uuid);
    expect(await valuesOf(raProfile.uuid)).toHaveLength(1);
    expect(await test.management.servedProfiles.find('raProfile', raProfile.name)).toMatchObject({ uuid });
    expect(await test.call('forceDeleteACMEProfiles', { body: [uuid, newUuid()] })).toEqual([]);
    expect(await isThere(uuid)).toBe(false);
    expect(await acmeOf(raProfile.uuid)).toEqual({ uuid: '', name: '', acmeAvailable: false });
    expect(await valuesOf(raProfile.uuid)).toEqual([]);
    expect(await test.management.servedProfiles.find('raProfile', raProfile.name)).toBeUndefined();
    expect(await test.audits(uuid)).toEqual(['create', 'forceDelete']);
  });

  it('of none is no work', async () => {
    expect(await test.call('bulkDeleteAcmeProfile', { body: [] })).toEqual([]);
    expect(await test.call('forceDeleteACMEProfiles', { body: [] })).toEqual([]);
  });
});

describe('removing an RA profile', () => {
  it('leaves the profiles that issue with it without one, in a new version', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile({ raProfileUuid: raProfile.uuid, ...values });
    const account = await usedAccount(uuid);
    await removeRaProfile(raProfile.uuid);
    expect(await test.call('getAcmeProfile', { params: { uuid } })).toMatchObject({
      raProfile: undefined,
      directoryUrl: undefined,
      issueCertificateAttributes: [],
    });
    expect(await test.versionOf(uuid)).toBe(2);
    expect(await valuesOf(uuid)).toEqual([]);
    expect(await left(account)).toEqual([1, 1, 2]);
    expect(await test.audits(uuid)).toEqual(['create', 'update']);
  });

  it('ends the activation on it, in a new version, and takes the accounts made under its name', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile();
    await activate(uuid, raProfile.uuid);
    const [under, beside] = [await usedAccount(uuid, raProfile.uuid), await usedAccount(uuid)];
    const version = await test.versionOf(uuid);
    await removeRaProfile(raProfile.uuid);
    expect(await test.versionOf(uuid)).toBe(version + 1);
    expect(await left(under)).toEqual([0, 0, 0]);
    expect(await left(beside)).toEqual([1, 1, 2]);
    expect(await valuesOf(raProfile.uuid)).toEqual([]);
    expect(await test.database.query('SELECT FROM acme_activation WHERE acme_profile_uuid = $1', [uuid])).toEqual([]);
  });

  it('that ACME does not know changes nothing here', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile();
    await removeRaProfile(raProfile.uuid);
    expect(await test.versionOf(uuid)).toBe(1);
    expect(await test.audits(uuid)).toEqual(['create']);
  });
});
