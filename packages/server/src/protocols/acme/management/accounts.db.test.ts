import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { allPermissions, coreContext, type PermissionSet } from '../../../kernel/actor.ts';
import { createAcmeRows, type AcmeRows } from '../testing/acme-rows.ts';
import { managementFixture, type ManagementFixture } from '../testing/management-fixture.ts';
import { listAccountIds } from './accounts.ts';
import { findByText, type VisibleAccounts } from './store-accounts.ts';

let test: ManagementFixture;
let rows: AcmeRows;
let acmeProfileUuid: string;
let raProfile: { readonly uuid: string; readonly name: string };

beforeAll(async () => {
  test = await managementFixture();
  rows = createAcmeRows(test.database, test.clock);
  raProfile = await test.addRaProfile();
  acmeProfileUuid = await test.addProfile({ raProfileUuid: raProfile.uuid });
});
afterAll(() => test.close());

const paramsOf = (acmeAccountUuid: string) => ({ acmeProfileUuid, acmeAccountUuid });
const detail = (uuid: string) => test.call('getAcmeAccount', { params: paramsOf(uuid) });
const revoke = (uuid: string) => test.call('revokeAcmeAccount', { params: paramsOf(uuid) });
const statusOf = async (table: 'acme_order' | 'acme_authorization', uuid: string) => {
  const [row] = await test.database.query<{ status: string }>(`SELECT status FROM ${table} WHERE uuid = $1`, [uuid]);
  return row?.status;
};

describe('an account', () => {
  it('is shown with its profile and the RA profile under which it issues certificates', async () => {
    const other = await test.addRaProfile();
    const { uuid, accountId } = await rows.account({ acmeProfileUuid });
    const under = await rows.account({ acmeProfileUuid, raProfileUuid: other.uuid });
    const profile = await test.call('getAcmeProfile', { params: { uuid: acmeProfileUuid } });
    const listed = {
      uuid,
      accountId,
      enabled: true,
      status: 'valid',
      totalOrders: 0,
      raProfile: { ...raProfile, enabled: true, authorityInstanceUuid: test.authorityUuid },
      acmeProfileName: profile.name,
      acmeProfileUuid,
    };
    const all = await test.call('listAcmeAccounts');
    expect(all.find((each) => each.uuid === uuid)).toEqual(listed);
    expect(all.find((each) => each.uuid === under.uuid)?.raProfile?.uuid).toBe(other.uuid);
    expect(await detail(uuid)).toEqual({
      ...listed,
      successfulOrders: 0,
      failedOrders: 0,
      pendingOrders: 0,
      validOrders: 0,
      processingOrders: 0,
      contact: ['mailto:web@pki.test'],
      termsOfServiceAgreed: true,
    });
  });

  it('shows the external account binding key that was used to create it', async () => {
    const key = await test.call('createAcmeEabKey', { params: { uuid: acmeProfileUuid }, body: {} });
    const { uuid } = await rows.account({ acmeProfileUuid, eabKey: { uuid: key.uuid, keyId: key.keyId } });
    expect((await detail(uuid)).externalAccountKeyId).toBe(key.keyId);
  });

  it('can be found only under its own profile', async () => {
    const { uuid } = await rows.account({ acmeProfileUuid });
    const params = { acmeProfileUuid: await test.addProfile(), acmeAccountUuid: uuid };
    for (const key of ['getAcmeAccount', 'revokeAcmeAccount', 'enableAcmeAccount', 'disableAcmeAccount'] as const) {
      await expect(test.call(key, { params })).rejects.toMatchObject({ code: 'object_not_found' });
      await expect(test.call(key, { params: paramsOf(newUuid()) })).rejects.toMatchObject({ code: 'object_not_found' });
    }
    expect(await detail(uuid)).toMatchObject({ status: 'valid', enabled: true });
    expect(await test.audits(uuid)).toEqual([]);
  });
});

describe('account identifiers', () => {
  it('are offered as search values to users who can list both accounts and profiles', async () => {
    const { accountId } = await rows.account({ acmeProfileUuid });
    const list = (permissions: PermissionSet) =>
      listAccountIds(test.database.executor, {
        ...coreContext('test'),
        actor: { ...coreContext('').actor, permissions },
      });
    const all = { allowAllActions: true, actions: new Set<never>() };
    expect(await list(allPermissions)).toContain(accountId);
    expect(await list({ allowAllResources: false, resources: new Map([['acmeAccounts', all]]) })).toEqual([]);
    expect(await list({ allowAllResources: false, resources: new Map([['acmeProfiles', all]]) })).toEqual([]);
  });
});

describe('account search', () => {
  it('matches any part of the identifier regardless of case, and returns the profile, with the newest accounts first', async () => {
    const [older, younger] = [await rows.account({ acmeProfileUuid }), await rows.account({ acmeProfileUuid })];
    const { name } = await test.call('getAcmeProfile', { params: { uuid: acmeProfileUuid } });
    const part = younger.accountId.slice(2, 20);
    const found = { uuid: younger.uuid, accountId: younger.accountId, acmeProfileUuid, acmeProfileName: name };
    expect(await test.call('findAcmeAccounts', { query: { text: part.toUpperCase() } })).toEqual([found]);
    const some = await test.call('findAcmeAccounts', { query: { text: older.accountId.slice(0, 1), limit: 1 } });
    expect(some).toHaveLength(1);
  });

  it('matches literally: no character acts as a wildcard', async () => {
    await rows.account({ acmeProfileUuid });
    for (const text of ['%', '\\', '_%_']) expect(await test.call('findAcmeAccounts', { query: { text } })).toEqual([]);
  });

  it('returns only accounts that the caller can see and whose profiles the caller can also see', async () => {
    const { uuid, accountId: text } = await rows.account({ acmeProfileUuid });
    const all = { kind: 'all', except: new Set<string>() } as const;
    const found = (shown: Partial<VisibleAccounts>) =>
      findByText(test.database.executor, { text, limit: 10, accounts: all, profiles: all, ...shown });
    expect((await found({})).map((row) => row.uuid)).toEqual([uuid]);
    expect(await found({ accounts: { kind: 'all', except: new Set([uuid]) } })).toEqual([]);
    expect(await found({ profiles: { kind: 'only', uuids: new Set() } })).toEqual([]);
  });
});

describe("an account's orders", () => {
  it('are counted by the status that the client sees', async () => {
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid, gone: { successful: 10, failed: 20 } });
    const order = (facts: Partial<Parameters<AcmeRows['order']>[0]>) => rows.order({ accountUuid, ...facts });
    const orderWithAuthorization = async (facts: Partial<Parameters<AcmeRows['authorization']>[0]>) =>
      order({ authorizationUuids: [await rows.authorization({ accountUuid, ...facts })] });
    const orderWithCertificate = async (state: string) =>
      order({ status: 'processing', certificateUuid: await rows.certificate(state) });
    // Pending, one of them ready.
    await orderWithAuthorization({});
    await orderWithAuthorization({ status: 'valid' });
    // Failed.
    await order({ status: 'invalid' });
    await order({ expiresInMs: -1 });
    await orderWithAuthorization({ status: 'invalid' });
    await orderWithAuthorization({ status: 'valid', expiresInMs: -1 });
    await orderWithCertificate('failed');
    await orderWithCertificate('rejected');
    // Valid.
    await order({ status: 'valid' });
    await orderWithCertificate('issued');
    await orderWithCertificate('revoked');
    // Processing; the last one is not yet in the inventory.
    await orderWithCertificate('requested');
    await orderWithCertificate('pending_approval');
    await orderWithCertificate('pending_issue');
    await order({ status: 'processing', certificateUuid: newUuid(), expiresInMs: -1 });

    const shown = await detail(accountUuid);
    expect(shown).toMatchObject({
      pendingOrders: 2,
      failedOrders: 6 + 20,
      validOrders: 3 + 10,
      successfulOrders: 3 + 10,
      processingOrders: 4,
      totalOrders: 15 + 30,
    });
    const listed = (await test.call('listAcmeAccounts')).find(({ uuid }) => uuid === accountUuid);
    expect(listed?.totalOrders).toBe(shown.totalOrders);
  });
});

describe("an account's enabled state", () => {
  it('can be changed, and remains unchanged if it already has the requested value', async () => {
    const { uuid, accountId } = await rows.account({ acmeProfileUuid });
    const params = paramsOf(uuid);
    await test.call('disableAcmeAccount', { params });
    await test.call('disableAcmeAccount', { params });
    expect(await detail(uuid)).toMatchObject({ enabled: false, status: 'valid' });
    await test.call('enableAcmeAccount', { params });
    expect((await detail(uuid)).enabled).toBe(true);
    expect(await test.audits(uuid)).toEqual(['disable', 'enable']);
    expect(test.changedAccounts).toContain(accountId);
  });

  it('can be changed for multiple accounts, and unknown accounts are skipped', async () => {
    const [one, two] = [await rows.account({ acmeProfileUuid }), await rows.account({ acmeProfileUuid })];
    await test.call('bulkDisableAcmeAccount', { body: [one.uuid, newUuid(), two.uuid] });
    expect([(await detail(one.uuid)).enabled, (await detail(two.uuid)).enabled]).toEqual([false, false]);
    await test.call('bulkEnableAcmeAccount', { body: [two.uuid] });
    await test.call('bulkEnableAcmeAccount', { body: [] });
    expect([(await detail(one.uuid)).enabled, (await detail(two.uuid)).enabled]).toEqual([false, true]);
  });
});

describe('revoking an account', () => {
  it('ends the account with its open orders and authorizations, but not those that are finished or in progress', async () => {
    const { uuid: accountUuid, accountId } = await rows.account({ acmeProfileUuid });
    const stranger = await rows.account({ acmeProfileUuid });
    const pending = await rows.authorization({ accountUuid, challengeStatus: 'processing' });
    const reusable = await rows.authorization({ accountUuid, status: 'valid', challengeStatus: 'valid' });
    const failed = await rows.authorization({ accountUuid, status: 'invalid', challengeStatus: 'invalid' });
    const open = await rows.order({ accountUuid, authorizationUuids: [pending] });
    const over = await rows.order({ accountUuid, status: 'invalid', authorizationUuids: [failed] });
    const underWay = await rows.order({ accountUuid, status: 'processing', certificateUuid: newUuid() });
    const foreign = await rows.order({ accountUuid: stranger.uuid });
    await revoke(accountUuid);

    expect(await detail(accountUuid)).toMatchObject({ status: 'revoked', failedOrders: 2, processingOrders: 1 });
    expect(await Promise.all([open, over, underWay, foreign].map((uuid) => statusOf('acme_order', uuid)))).toEqual([
      'invalid', 'invalid', 'processing', 'pending',
    ]); // prettier-ignore
    expect(await Promise.all([pending, reusable, failed].map((uuid) => statusOf('acme_authorization', uuid)))).toEqual([
      'revoked',
      'revoked',
      'invalid',
    ]);
    const [challenge] = await test.database.query<object>(
      'SELECT challenge_status, leased_until FROM acme_authorization WHERE uuid = $1',
      [pending],
    );
    expect(challenge).toEqual({ challenge_status: 'invalid', leased_until: null });
    const [order] = await test.database.query<{ error: object }>('SELECT error FROM acme_order WHERE uuid = $1', [
      open,
    ]);
    expect(order?.error).toMatchObject({ type: 'unauthorized' });
    expect(await test.audits(accountUuid)).toEqual(['revoke']);
    expect(test.changedAccounts).toContain(accountId);
  });

  it('is final, and has no effect if it is repeated', async () => {
    const { uuid } = await rows.account({ acmeProfileUuid });
    await revoke(uuid);
    await revoke(uuid);
    await test.call('disableAcmeAccount', { params: paramsOf(uuid) });
    await test.call('enableAcmeAccount', { params: paramsOf(uuid) });
    expect((await detail(uuid)).status).toBe('revoked');
    expect(await test.audits(uuid)).toEqual(['revoke', 'disable', 'enable']);
  });

  it('is rejected for an account that was deactivated by its client', async () => {
    const { uuid } = await rows.account({ acmeProfileUuid, status: 'deactivated' });
    await expect(revoke(uuid)).rejects.toThrow('deactivated by its client');
    expect((await detail(uuid)).status).toBe('deactivated');
  });

  it('skips ended and unknown accounts if multiple accounts are revoked', async () => {
    const valid = await rows.account({ acmeProfileUuid });
    const deactivated = await rows.account({ acmeProfileUuid, status: 'deactivated' });
    await test.call('bulkRevokeAcmeAccount', { body: [valid.uuid, deactivated.uuid, newUuid()] });
    await test.call('bulkRevokeAcmeAccount', { body: [valid.uuid] });
    expect([(await detail(valid.uuid)).status, (await detail(deactivated.uuid)).status]).toEqual([
      'revoked',
      'deactivated',
    ]);
    expect(await test.audits(valid.uuid)).toEqual(['revoke']);
    expect(await test.audits(deactivated.uuid)).toEqual([]);
  });

  it('fails if the audit record cannot be written', async () => {
    const { uuid: accountUuid } = await rows.account({ acmeProfileUuid });
    const order = await rows.order({ accountUuid });
    test.audit.isBroken = true;
    try {
      await expect(revoke(accountUuid)).rejects.toThrow('audit trail');
      await expect(test.call('disableAcmeAccount', { params: paramsOf(accountUuid) })).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect(await detail(accountUuid)).toMatchObject({ status: 'valid', enabled: true });
    expect(await statusOf('acme_order', order)).toBe('pending');
  });
});
