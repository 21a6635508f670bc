import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreContext, type PermissionSet } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import { estProfilesFixture, ORIGIN, PASSWORD, type EstProfilesFixture } from './testing/est-profiles-fixture.ts';

let test: EstProfilesFixture;

beforeAll(async () => {
  test = await estProfilesFixture();
});
afterAll(() => test.close());

const paramsOf = (estProfileUuid: string) => ({ estProfileUuid });
const findServed = (name: string) => test.estProfiles.served.find('profile', name);
const device = { username: 'device', password: PASSWORD };
const auditedOperations = async (uuid: string) => {
  const rows = await test.database.query<{ operation: string }>(
    'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
    [JSON.stringify([{ uuid }])],
  );
  return rows.map(({ operation }) => operation);
};

describe('an EST profile', () => {
  it('can be enabled and disabled only once each, with immediate effect on the protocol', async () => {
    const { uuid, name } = await test.addProfile();
    expect(await findServed(name)).toMatchObject({ enabled: false });
    await test.call('enableEstProfile', { params: paramsOf(uuid) });
    expect(await findServed(name)).toMatchObject({ enabled: true });
    await expect(test.call('enableEstProfile', { params: paramsOf(uuid) })).rejects.toMatchObject({
      code: 'invalid_state',
      message: `EST profile ${name} is already enabled; this operation requires a disabled profile.`,
    });
    await test.call('disableEstProfile', { params: paramsOf(uuid) });
    expect(await findServed(name)).toMatchObject({ enabled: false });
    expect(await auditedOperations(uuid)).toEqual(['create', 'enable', 'disable']);
  });

  it('can be assigned a different RA profile and keeps everything else, including its users', async () => {
    const [one, other] = [await test.addRaProfile(), await test.addRaProfile()];
    const { uuid, name } = await test.addProfile({ raProfileUuid: one.uuid, users: [device], retryAfter: 9 });
    const params = { ...paramsOf(uuid), raProfileUuid: other.uuid };
    await test.call('updateEstProfileRaProfile', { params });
    expect(await findServed(name)).toMatchObject({
      raProfile: { uuid: other.uuid, enabled: true, authorityUuid: test.authorityUuid },
      passwords: new Map([['device', PASSWORD]]),
      retryAfter: 9,
    });
    await expect(
      test.call('updateEstProfileRaProfile', { params: { ...params, estProfileUuid: newUuid() } }),
    ).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is served under the name of an RA profile while it is activated on that RA profile', async () => {
    const raProfile = await test.addRaProfile();
    const { uuid, name } = await test.addProfile();
    const params = { authorityUuid: test.authorityUuid, raProfileUuid: raProfile.uuid };
    expect(await test.call('getEstForRaProfile', { params })).toEqual({ uuid: '', name: '', estAvailable: false });
    const body = { issueCertificateAttributes: [] };
    expect(await test.call('activateEstForRaProfile', { params: { ...params, ...paramsOf(uuid) }, body })).toEqual({
      uuid,
      name,
      estAvailable: true,
      url: `${ORIGIN}/api/v1/protocols/est/raProfile/${raProfile.name}`,
      issueCertificateAttributes: [],
    });
    const found = await test.estProfiles.served.find('raProfile', raProfile.name);
    expect(found).toMatchObject({ uuid, family: 'raProfile', raProfile: { uuid: raProfile.uuid } });
    const refused = test.call('deleteEstProfile', { params: paramsOf(uuid) });
    await expect(refused).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await test.call('deactivateEstForRaProfile', { params });
    expect(await test.estProfiles.served.find('raProfile', raProfile.name)).toBeUndefined();
    await test.call('deleteEstProfile', { params: paramsOf(uuid) });
    expect(await findServed(name)).toBeUndefined();
  });

  it('is listed for callers who can list its RA profile or, if it has none, all RA profiles', async () => {
    const [shown, hidden] = [await test.addRaProfile(), await test.addRaProfile()];
    const visible = await test.addProfile({ raProfileUuid: shown.uuid });
    const invisible = await test.addProfile({ raProfileUuid: hidden.uuid });
    const without = await test.addProfile();
    const visibilityFor = async (permissions: PermissionSet) => {
      const actor = { ...coreContext('test').actor, permissions };
      const uuids = (await test.call('listEstProfiles', { context: { actor } })).map(({ uuid }) => uuid);
      return [visible, invisible, without].map(({ uuid }) => uuids.includes(uuid));
    };
    const rights = { allowAllActions: false, actions: new Set<never>() };
    const allowed = { allowed: new Set(['list'] as const), denied: new Set<never>() };
    const denied = { allowed: new Set<never>(), denied: new Set(['list'] as const) };
    const only = { ...rights, objects: new Map([[shown.uuid, allowed]]) };
    const allBut = { allowAllActions: true, actions: new Set<never>(), objects: new Map([[hidden.uuid, denied]]) };
    const of = (granted: typeof only | typeof allBut | typeof rights): PermissionSet => ({
      allowAllResources: false,
      resources: new Map([['raProfiles', granted]]),
    });
    expect(await visibilityFor(of(only))).toEqual([true, false, false]);
    expect(await visibilityFor(of(allBut))).toEqual([true, false, true]);
    expect(await visibilityFor(of(rights))).toEqual([false, false, false]);
  });
});
