import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { createAcmeRows, type AcmeRows } from '../testing/acme-rows.ts';
import { crlUrl, defineAttributes } from '../../../areas/acme-profiles/testing/acme-profiles-fixture.ts';
import { managementFixture, type ManagementFixture } from '../testing/management-fixture.ts';
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
const profileExists = async (uuid: string) =>
  (await test.call('listAcmeProfiles')).some((profile) => profile.uuid === uuid);

/** Creates an account with an order and two authorizations, one of them valid without an order. */
async function usedAccount(acmeProfileUuid: string, raProfileUuid?: string): Promise<string> {
  const { uuid } = await rows.account({ acmeProfileUuid, ...(raProfileUuid ? { raProfileUuid } : {}) });
  const authorization = await rows.authorization({ accountUuid: uuid });
  await rows.authorization({ accountUuid: uuid, status: 'valid' });
  await rows.order({ accountUuid: uuid, authorizationUuids: [authorization] });
  return uuid;
}
const countRemaining = async (accountUuid: string): Promise<number[]> => [
  await rows.count('acme_account', accountUuid),
  await rows.count('acme_order', accountUuid),
  await rows.count('acme_authorization', accountUuid),
];

describe('deletion of an ACME profile', () => {
  it('deletes its accounts with all their contents, its keys and its attribute values, but not those of other profiles', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const [uuid, other] = [await test.addProfile({ raProfileUuid, ...values }), await test.addProfile()];
    const [account, stranger] = [await usedAccount(uuid), await usedAccount(other)];
    await test.call('createAcmeEabKey', { params: { uuid }, body: {} });
    await test.call('deleteAcmeProfile', { params: { uuid } });
    expect(await profileExists(uuid)).toBe(false);
    expect(await countRemaining(account)).toEqual([0, 0, 0]);
    expect(await countRemaining(stranger)).toEqual([1, 1, 2]);
    expect(await valuesOf(uuid)).toEqual([]);
    expect(await test.database.query('SELECT FROM acme_eab_key WHERE acme_profile_uuid = $1', [uuid])).toEqual([]);
    expect(await test.audits(uuid)).toEqual(['create', 'add', 'delete']);
    await expect(test.call('deleteAcmeProfile', { params: { uuid } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('is rejected while the profile is activated on RA profiles, and the error lists the RA profiles', async () => {
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
    expect([await profileExists(used), await profileExists(free)]).toEqual([true, false]);
    expect((await acmeOf(one.uuid)).acmeAvailable).toBe(true);
  });

  it('by force removes it from the RA profiles, together with the attribute values specified there', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile();
    await activate(uuid, raProfile.uuid);
    expect(await valuesOf(raProfile.uuid)).toHaveLength(1);
    expect(await test.acmeProfiles.served.find('raProfile', raProfile.name)).toMatchObject({ uuid });
    expect(await test.call('forceDeleteACMEProfiles', { body: [uuid, newUuid()] })).toEqual([]);
    expect(await profileExists(uuid)).toBe(false);
    expect(await acmeOf(raProfile.uuid)).toEqual({ uuid: '', name: '', acmeAvailable: false });
    expect(await valuesOf(raProfile.uuid)).toEqual([]);
    expect(await test.acmeProfiles.served.find('raProfile', raProfile.name)).toBeUndefined();
    expect(await test.audits(uuid)).toEqual(['create', 'forceDelete']);
  });

  it('does nothing for an empty list', async () => {
    expect(await test.call('bulkDeleteAcmeProfile', { body: [] })).toEqual([]);
    expect(await test.call('forceDeleteACMEProfiles', { body: [] })).toEqual([]);
  });
});

describe('deletion of an RA profile', () => {
  it('removes the RA profile from the ACME profiles that issue under it, creating a new version of them', async () => {
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
    expect(await countRemaining(account)).toEqual([1, 1, 2]);
    expect(await test.audits(uuid)).toEqual(['create', 'update']);
  });

  it('ends its ACME activation, creating a new version, and deletes the accounts created under its name', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile();
    await activate(uuid, raProfile.uuid);
    const [under, beside] = [await usedAccount(uuid, raProfile.uuid), await usedAccount(uuid)];
    const version = await test.versionOf(uuid);
    await removeRaProfile(raProfile.uuid);
    expect(await test.versionOf(uuid)).toBe(version + 1);
    expect(await countRemaining(under)).toEqual([0, 0, 0]);
    expect(await countRemaining(beside)).toEqual([1, 1, 2]);
    expect(await valuesOf(raProfile.uuid)).toEqual([]);
    expect(await test.database.query('SELECT FROM acme_activation WHERE acme_profile_uuid = $1', [uuid])).toEqual([]);
  });

  it('changes nothing in ACME if no ACME profile uses the RA profile', async () => {
    const raProfile = await test.addRaProfile();
    const uuid = await test.addProfile();
    await removeRaProfile(raProfile.uuid);
    expect(await test.versionOf(uuid)).toBe(1);
    expect(await test.audits(uuid)).toEqual(['create']);
  });
});

describe('concurrent deletion and use', () => {
  /** Starts a use while the row of an object is being deleted, and returns the outcome of the use. */
  async function useDuringRemoval(table: 'ra_profile' | 'acme_profile', uuid: string, use: () => Promise<unknown>) {
    const ended = await test.database.transaction(async (tx) => {
      await sql`SELECT FROM ${sql.table(table)} WHERE uuid = ${uuid} FOR UPDATE`.execute(tx);
      const pending = Promise.allSettled([use()]);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect(await test.database.query(waiting)).toHaveLength(1));
      await sql`DELETE FROM ${sql.table(table)} WHERE uuid = ${uuid}`.execute(tx);
      return { pending };
    });
    const [outcome] = await ended.pending;
    // Rejections have codes.
    return outcome.status === 'rejected' ? (outcome.reason as { code?: string }).code : 'done';
  }

  it.each([
    ['a new profile', (raProfileUuid: string) => test.addProfile({ raProfileUuid })],
    ['an edit', async (raProfileUuid: string) => {
      const params = { uuid: await test.addProfile() };
      await test.call('updateRaProfile_AcmeProfile', { params: { ...params, raProfileUuid } });
    }],
    ['an activation', async (raProfileUuid: string) => activate(await test.addProfile(), raProfileUuid)],
  ])('of an RA profile: %s does not leave a dangling reference', async (_what, use) => {
    const { uuid } = await test.addRaProfile();
    expect(await useDuringRemoval('ra_profile', uuid, () => use(uuid))).toBe('object_not_found');
    expect(await test.database.query('SELECT FROM acme_profile WHERE ra_profile_uuid = $1', [uuid])).toEqual([]);
    expect(await test.database.query('SELECT FROM acme_activation WHERE ra_profile_uuid = $1', [uuid])).toEqual([]);
  }); // prettier-ignore

  it('of an ACME profile: the profile is no longer activated', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const uuid = await test.addProfile();
    expect(await useDuringRemoval('acme_profile', uuid, () => activate(uuid, raProfileUuid))).toBe('object_not_found');
    expect((await acmeOf(raProfileUuid)).acmeAvailable).toBe(false);
    expect(await valuesOf(raProfileUuid)).toEqual([]);
  });

  it('by many callers: each call ends with a success or a rejection', async () => {
    const raProfiles = await Promise.all([1, 2, 3].map(() => test.addRaProfile()));
    const profiles = await Promise.all([1, 2, 3].map(() => test.addProfile()));
    const pairs = profiles.flatMap((uuid) => raProfiles.map((raProfile) => ({ uuid, raProfileUuid: raProfile.uuid })));
    const outcomes = await Promise.allSettled([
      ...pairs.map(({ uuid, raProfileUuid }) => activate(uuid, raProfileUuid)),
      ...pairs.map((params) => test.call('updateRaProfile_AcmeProfile', { params })),
      ...profiles.map((uuid) => test.call('bulkEnableAcmeProfile', { body: [uuid, ...profiles] })),
      removeRaProfile(raProfiles[0]?.uuid ?? ''),
      test.call('forceDeleteACMEProfiles', { body: profiles.slice(0, 2) }),
      test.call('bulkDeleteAcmeProfile', { body: profiles }),
    ]);
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'object_not_found' });
    const dangling = `SELECT FROM attribute_value v WHERE v.purpose = 'acme'
      AND NOT EXISTS (SELECT FROM acme_activation a WHERE a.ra_profile_uuid = v.object_uuid)`;
    expect(await test.database.query(dangling)).toEqual([]);
  });
});
