import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { acmeProfilesFixture, type AcmeProfilesFixture } from '../testing/acme-profiles-fixture.ts';

let test: AcmeProfilesFixture;
let acmeProfileUuid: string;

beforeAll(async () => {
  test = await acmeProfilesFixture();
  acmeProfileUuid = await test.addProfile();
});
afterAll(() => test.close());

const list = () => test.call('listAcmeEabKeys', { params: { uuid: acmeProfileUuid } });
const create = (body: object = {}) => test.call('createAcmeEabKey', { params: { uuid: acmeProfileUuid }, body });
const revoke = (keyUuid: string) => test.call('revokeAcmeEabKey', { params: { uuid: acmeProfileUuid, keyUuid } });
const find = (keyId: string, profile = acmeProfileUuid) =>
  test.acmeProfiles.eabKeys.findUsable(keyId, { acmeProfileUuid: profile, now: test.clock.now() });
const bind = (uuid: string) =>
  test.database.transaction((tx) => test.acmeProfiles.eabKeys.bind(tx, uuid, { now: test.clock.now() }));
const findListed = async (uuid: string) => (await list()).find((key) => key.uuid === uuid);
const noRules = { allowedDnsSuffixes: [], deniedDnsSuffixes: [], allowedIpRanges: [], deniedIpRanges: [] };
const inOneHour = () => new Date(test.clock.now().getTime() + 3_600_000).toISOString();

describe('an external account key', () => {
  it('shows its MAC key only once, on creation, and is stored encrypted', async () => {
    const { macKey, ...key } = await create({ description: 'web team', expiresAt: inOneHour() });
    expect(Buffer.from(macKey, 'base64url')).toHaveLength(64);
    expect(key).toMatchObject({ description: 'web team', reusable: false, state: 'usable', boundAccounts: 0, createdBy: 'signetry' });
    expect(await findListed(key.uuid)).toEqual({ ...key, lastUsedAt: undefined });
    const rows = await test.database.query('SELECT * FROM acme_eab_key');
    expect(JSON.stringify([rows, await list()])).not.toContain(macKey);
    const [audit] = await test.database.query<{ operation_data: object }>(
      `SELECT operation_data FROM audit_record WHERE operation = 'add' ORDER BY id DESC LIMIT 1`,
    );
    expect(audit?.operation_data).toEqual({ externalAccountKey: { uuid: key.uuid, keyId: key.keyId, reusable: false } });
    expect(await find(key.keyId)).toEqual({ uuid: key.uuid, macKey: Buffer.from(macKey, 'base64url') });
  }); // prettier-ignore

  it('has a unique key ID and MAC key', async () => {
    const [one, two] = [await create(), await create()];
    expect(one.keyId).not.toBe(two.keyId);
    expect(one.macKey).not.toBe(two.macKey);
  });

  it('belongs to one profile', async () => {
    const { keyId, uuid } = await create();
    const other = await test.addProfile();
    expect(await find(keyId, other)).toEqual({ reason: 'unknown' });
    await expect(test.call('revokeAcmeEabKey', { params: { uuid: other, keyUuid: uuid } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    expect((await findListed(uuid))?.state).toBe('usable');
    expect(await test.call('listAcmeEabKeys', { params: { uuid: other } })).toEqual([]);
  });

  it('can be used by only one account, even if several accounts are created concurrently', async () => {
    const { uuid, keyId } = await create();
    expect((await Promise.all([bind(uuid), bind(uuid), bind(uuid)])).toSorted()).toEqual([false, false, true]);
    expect(await findListed(uuid)).toMatchObject({ state: 'used', boundAccounts: 1, lastUsedAt: expect.any(String) });
    expect(await find(keyId)).toEqual({ reason: 'used' });
  });

  it('is not consumed if the account creation is rolled back', async () => {
    const { uuid } = await create();
    const failing = test.database.transaction(async (tx) => {
      expect(await test.acmeProfiles.eabKeys.bind(tx, uuid, { now: test.clock.now() })).toBe(true);
      throw new Error('no account');
    });
    await expect(failing).rejects.toThrow('no account');
    expect(await bind(uuid)).toBe(true);
  });

  it('can be used for multiple accounts if it is reusable', async () => {
    const { uuid, keyId } = await create({ reusable: true });
    expect(await Promise.all([bind(uuid), bind(uuid)])).toEqual([true, true]);
    expect(await findListed(uuid)).toMatchObject({ state: 'usable', boundAccounts: 2 });
    expect(await find(keyId)).toMatchObject({ uuid });
  });

  it('cannot be used after it is revoked, not even by an account creation that is already in progress', async () => {
    const { uuid, keyId } = await create({ reusable: true });
    expect(await find(keyId)).toMatchObject({ uuid });
    await revoke(uuid);
    await revoke(uuid);
    expect(await find(keyId)).toEqual({ reason: 'revoked' });
    expect(await bind(uuid)).toBe(false);
    expect((await findListed(uuid))?.state).toBe('revoked');
    const revocations = await test.database.query(
      `SELECT FROM audit_record WHERE operation = 'revoke' AND operation_data @> $1::jsonb`,
      [JSON.stringify({ externalAccountKey: { uuid } })],
    );
    expect(revocations).toHaveLength(1);
  });

  it('cannot be used after it expires', async () => {
    const { uuid, keyId } = await create({ expiresAt: inOneHour() });
    test.clock.advance(2 * 3_600_000);
    expect(await find(keyId)).toEqual({ reason: 'expired' });
    expect(await bind(uuid)).toBe(false);
    expect((await findListed(uuid))?.state).toBe('expired');
  });

  it.each(['', 'unknown', 'a\0b', 'x'.repeat(10_000)])(
    'is reported as unknown if it does not exist (%#)',
    async (keyId) => {
      expect(await find(keyId)).toEqual({ reason: 'unknown' });
    },
  );

  it('continues to apply its name policy to its accounts, even after revocation', async () => {
    const plain = await create({ namePolicy: {} });
    const { uuid } = await create({ namePolicy: { allowedDnsSuffixes: ['*.Team.example'], allowWildcards: false } });
    const policy = { ...noRules, allowedDnsSuffixes: ['team.example'], allowWildcards: false };
    await revoke(uuid);
    expect([(await findListed(plain.uuid))?.namePolicy, (await findListed(uuid))?.namePolicy]).toEqual([
      undefined,
      policy,
    ]);
    const found = [plain.uuid, uuid, newUuid()].map((each) => test.acmeProfiles.eabKeys.namePolicyOf(each));
    expect(await Promise.all(found)).toEqual([undefined, policy, undefined]);
    const added = await test.database.query(
      `SELECT FROM audit_record WHERE operation = 'add' AND operation_data @> $1::jsonb`,
      [JSON.stringify({ externalAccountKey: { uuid, namePolicy: policy } })],
    );
    expect(added).toHaveLength(1);
  });

  it('is rejected if its name policy is invalid', async () => {
    await expect(create({ namePolicy: { allowedIpRanges: ['everything'] } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });

  it('is rejected if it would already have expired, or if the profile does not exist', async () => {
    await expect(create({ expiresAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'rejected_by_rules' });
    const params = { uuid: newUuid() };
    for (const attempt of [
      () => test.call('listAcmeEabKeys', { params }),
      () => test.call('createAcmeEabKey', { params, body: {} }),
      () => revoke(newUuid()),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is neither created nor revoked if the audit record cannot be written', async () => {
    const { uuid } = await create();
    const before = await list();
    test.audit.isBroken = true;
    try {
      await expect(create()).rejects.toThrow('audit trail');
      await expect(revoke(uuid)).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect(await list()).toEqual(before);
  });
});
