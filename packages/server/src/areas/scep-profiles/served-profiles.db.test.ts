// Profiles as the protocol server sees them, and profiles with Intune.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import {
  CA_UUID,
  ORIGIN,
  profileName,
  scepProfilesFixture,
  type ScepProfilesFixture,
} from './testing/scep-profiles-fixture.ts';

let test: ScepProfilesFixture;

beforeAll(async () => {
  test = await scepProfilesFixture();
});
afterAll(() => test.close());

const served = (name: string, family: 'profile' | 'raProfile' = 'profile') =>
  test.scepProfiles.served.find(family, name);

describe('a served profile', () => {
  it('contains everything that requests need, including secrets', async () => {
    const [name, raProfile] = [profileName(), await test.addRaProfile()];
    const uuid = await test.addProfile({
      name,
      raProfileUuid: raProfile.uuid,
      renewalThreshold: 30,
      challengePassword: 'pässwörd',
      allowOldClients: true,
      requireManualApproval: true,
      oneTimeChallenges: true,
      challengeWebhookUrl: 'https://challenges.test',
      enableIntune: true,
      intuneTenant: 'contoso.example',
      intuneApplicationId: 'app',
      intuneApplicationKey: 'canary-key',
    });
    const profile = await served(name);
    expect(profile).toMatchObject({
      uuid,
      name,
      version: 1,
      enabled: false,
      raProfile: { uuid: raProfile.uuid, name: raProfile.name, enabled: true, authorityUuid: test.authorityUuid },
      caCertificateUuid: CA_UUID,
      renewalThreshold: 30,
      allowOldClients: true,
      requireManualApproval: true,
      oneTimeChallenges: true,
      challengeWebhookUrl: 'https://challenges.test',
      intune: { tenant: 'contoso.example', applicationId: 'app' },
    });
    const { challengePassword, intune } = profile ?? expect.unreachable('not served');
    expect([challengePassword?.reveal(), intune?.applicationKey.reveal()]).toEqual(['pässwörd', 'canary-key']);
  });

  it.each([
    [false, false, 'leaf'],
    [true, false, 'issuer'],
    [false, true, 'chain'],
    [true, true, 'chain'],
  ])('with issuer %s and chain %s sends the %s', async (includeCaCertificate, includeCaCertificateChain, sends) => {
    const name = profileName();
    await test.addProfile({ name, includeCaCertificate, includeCaCertificateChain });
    expect((await served(name))?.sends).toBe(sends);
  });

  it('requires no challenge and does not use Intune by default', async () => {
    const name = profileName();
    await test.addProfile({ name });
    expect(await served(name)).toMatchObject({
      challengePassword: undefined,
      oneTimeChallenges: false,
      challengeWebhookUrl: undefined,
      intune: undefined,
    });
  });

  it('can be enabled and disabled, which takes effect from the next request', async () => {
    const name = profileName();
    const uuid = await test.addProfile({ name });
    const isEnabled = async () => (await served(name))?.enabled;
    expect(await isEnabled()).toBe(false);
    await test.call('enableScepProfile', { params: { uuid } });
    expect(await isEnabled()).toBe(true);
    await test.call('disableScepProfile', { params: { uuid } });
    expect(await isEnabled()).toBe(false);
    await test.call('deleteScepProfile', { params: { uuid } });
    expect(await served(name)).toBeUndefined();
  });
});

describe("an RA profile's SCEP profile", () => {
  it("is served under the RA profile's name from activation to deactivation", async () => {
    const raProfile = await test.addRaProfile();
    const scepProfileUuid = await test.addProfile();
    const params = { authorityUuid: test.authorityUuid, raProfileUuid: raProfile.uuid };
    const inactive = { uuid: '', name: '', scepAvailable: false };
    expect(await test.call('getScepForRaProfile', { params })).toEqual(inactive);
    expect(await served(raProfile.name, 'raProfile')).toBeUndefined();

    const body = { issueCertificateAttributes: [] };
    const active = await test.call('activateScepForRaProfile', { params: { ...params, scepProfileUuid }, body });
    const url = `${ORIGIN}/api/v1/protocols/scep/raProfile/${raProfile.name}/pkiclient.exe`;
    expect(active).toMatchObject({ uuid: scepProfileUuid, scepAvailable: true, url });
    expect(await served(raProfile.name, 'raProfile')).toMatchObject({
      family: 'raProfile',
      uuid: scepProfileUuid,
      raProfile: { uuid: raProfile.uuid },
    });

    await test.call('deactivateScepForRaProfile', { params });
    expect(await test.call('getScepForRaProfile', { params })).toEqual(inactive);
    expect(await served(raProfile.name, 'raProfile')).toBeUndefined();
  });

  it('cannot be activated if it does not exist', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const params = { authorityUuid: test.authorityUuid, raProfileUuid, scepProfileUuid: newUuid() };
    const activating = test.call('activateScepForRaProfile', { params, body: {} });
    await expect(activating).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('profiles with Intune', () => {
  it('are found if they use Intune, regardless of whether they are enabled', async () => {
    const intune = {
      enableIntune: true,
      intuneTenant: 'contoso.example',
      intuneApplicationId: 'app',
      intuneApplicationKey: 'canary-key',
    };
    const uuid = await test.addProfile({ name: 'a-phones', ...intune });
    const without = await test.addProfile({ name: 'b-routers' });
    const { withIntune } = test.scepProfiles;
    const found = async () => (await withIntune.findAll()).map((each) => each.uuid);
    expect(await found()).toContain(uuid);
    expect(await found()).not.toContain(without);
    expect(await withIntune.findOne(uuid)).toMatchObject({ uuid, name: 'a-phones', account: { applicationId: 'app' } });
    expect([await withIntune.findOne(without), await withIntune.findOne(newUuid())]).toEqual([undefined, undefined]);
    await test.edit(uuid, { enableIntune: false });
    expect([await withIntune.findOne(uuid), (await found()).includes(uuid)]).toEqual([undefined, false]);
  });
});
