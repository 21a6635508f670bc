import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { makeRoot } from '../certificates/testing/test-certificates.ts';
import { isForBaseStations } from './index.ts';
import { cmpProfilesFixture, ORIGIN, type CmpProfilesFixture } from './testing/cmp-profiles-fixture.ts';

let test: CmpProfilesFixture;

beforeAll(async () => {
  test = await cmpProfilesFixture();
});
afterAll(() => test.close());

const findServed = (family: 'profile' | 'raProfile', name: string) => test.cmpProfiles.served.find(family, name);
const paramsOf = (raProfileUuid: string, cmpProfileUuid?: string) => ({
  params: { authorityUuid: test.authorityUuid, raProfileUuid, ...(cmpProfileUuid ? { cmpProfileUuid } : {}) },
});
const attributes = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };
const activate = (raProfileUuid: string, cmpProfileUuid: string) =>
  test.call('activateCmpForRaProfile', { ...paramsOf(raProfileUuid, cmpProfileUuid), body: attributes });
const availability = (raProfileUuid: string) => test.call('getCmpForRaProfile', paramsOf(raProfileUuid));

describe('a CMP profile under its own name', () => {
  it('is served with its rules, its decrypted secret and its parsed authorities', async () => {
    const [raProfile, maker, office] = [await test.addRaProfile(), await makeRoot('Maker'), await makeRoot('Office')];
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({
      name,
      variant: 'v2_3gpp',
      raProfileUuid: raProfile.uuid,
      sharedSecret: 's3cret',
      implicitConfirmation: false,
      oneTimeSecrets: false,
      trustedAuthorities: [maker.base64],
      registrationAuthorities: [office.base64],
      centralKeys: true,
    });
    const profile = (await findServed('profile', name)) ?? expect.fail('not served');
    const { sharedSecret, trustedAuthorities, registrationAuthorities, ...rest } = profile;
    expect([sharedSecret?.reveal(), `${sharedSecret}`]).toEqual(['s3cret', '[secret]']);
    expect(
      [trustedAuthorities, registrationAuthorities].map((each) => each.map(({ der }) => Buffer.from(der))),
    ).toEqual([[Buffer.from(maker.der)], [Buffer.from(office.der)]]);
    expect(rest).toEqual({
      family: 'profile', uuid, name, version: 1, enabled: false, variant: 'v2_3gpp',
      raProfile: { ...raProfile, enabled: true, authorityUuid: test.authorityUuid },
      requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret', signingCertificateUuid: undefined,
      implicitConfirmation: false, oneTimeSecrets: false, requireManualApproval: false, centralKeys: true, bindNames: true,
      maxMacIterations: 100_000, acceptBothProtections: false, strictMessages: true, messageTimeTolerance: 300,
      issueAttributes: [], revokeAttributes: [], association: { owner: null, groupUuids: [], customAttributes: [] },
    }); // prettier-ignore
    expect(isForBaseStations(profile)).toBe(true);
  });

  it('has no secret if none has been specified', async () => {
    const name = `cmp-${newUuid()}`;
    const signed = { responseProtectionMethod: 'signature', signingCertificateUuid: newUuid().toUpperCase() };
    await test.addProfile({ name, requestProtectionMethod: 'signature', ...signed, sharedSecret: undefined });
    const profile = (await findServed('profile', name)) ?? expect.fail('not served');
    expect([profile.sharedSecret, isForBaseStations(profile)]).toEqual([undefined, false]);
    expect(profile.signingCertificateUuid).toBe(signed.signingCertificateUuid.toLowerCase());
  });

  const NOBODYS = ['nobody', 'raProfile', 'a b', 'a\0b', '', 'x'.repeat(500)];
  it.each(NOBODYS)('is not found if it does not exist (%j)', async (name) => {
    expect([await findServed('profile', name), await findServed('raProfile', name)]).toEqual([undefined, undefined]);
  });

  it('is reloaded immediately after each change', async () => {
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    const enabled = async () => (await findServed('profile', name))?.enabled;
    expect(await enabled()).toBe(false);
    await test.call('enableCmpProfile', { params: { cmpProfileUuid: uuid } });
    expect(await enabled()).toBe(true);
    await test.call('bulkDisableCmpProfile', { body: [uuid] });
    expect(await enabled()).toBe(false);
    await test.call('deleteCmpProfile', { params: { cmpProfileUuid: uuid } });
    expect(await findServed('profile', name)).toBeUndefined();
  });

  it('issues under the new RA profile after it is moved', async () => {
    const [first, second] = [await test.addRaProfile(), await test.addRaProfile()];
    const name = `cmp-${newUuid()}`;
    const cmpProfileUuid = await test.addProfile({ name, raProfileUuid: first.uuid });
    const move = (raProfileUuid: string) =>
      test.call('updateRaProfile_CmpProfile', { params: { cmpProfileUuid, raProfileUuid } });
    await move(second.uuid);
    expect((await findServed('profile', name))?.raProfile?.uuid).toBe(second.uuid);
    await expect(move(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
    expect((await findServed('profile', name))?.raProfile?.uuid).toBe(second.uuid);
  });
});

describe('a CMP profile on an RA profile', () => {
  it('is served under the name of the RA profile while it is activated', async () => {
    const raProfile = await test.addRaProfile();
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    expect(await availability(raProfile.uuid)).toEqual({ uuid: '', name: '', cmpAvailable: false });
    const active = {
      uuid,
      name,
      cmpAvailable: true,
      cmpUrl: `${ORIGIN}/api/v1/protocols/cmp/raProfile/${raProfile.name}`,
      ...attributes,
    };
    expect(await activate(raProfile.uuid, uuid)).toEqual(active);
    expect(await availability(raProfile.uuid)).toEqual(active);
    expect(await findServed('raProfile', raProfile.name)).toMatchObject({ family: 'raProfile', uuid, raProfile });
    // Under its own name, there is still no RA profile to issue under.
    expect((await findServed('profile', name))?.raProfile).toBeUndefined();
    await test.call('deactivateCmpForRaProfile', paramsOf(raProfile.uuid));
    expect(await findServed('raProfile', raProfile.name)).toBeUndefined();
  });

  it('replaces a previously activated one', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const [first, second] = [await test.addProfile(), await test.addProfile()];
    await activate(raProfileUuid, first);
    expect((await activate(raProfileUuid, second)).uuid).toBe(second);
  });

  it('cannot be deleted while it is activated unless this is forced, which also deactivates it', async () => {
    const raProfile = await test.addRaProfile();
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    await activate(raProfile.uuid, uuid);
    const message = `Dependent RA Profiles (1): ${raProfile.name}`;
    await expect(test.call('deleteCmpProfile', { params: { cmpProfileUuid: uuid } })).rejects.toThrow(message);
    expect(await test.call('bulkDeleteCmpProfile', { body: [uuid] })).toEqual([{ uuid, name, message }]);
    expect(await test.call('forceDeleteCmpProfiles', { body: [uuid] })).toEqual([]);
    expect(await findServed('raProfile', raProfile.name)).toBeUndefined();
    expect(await availability(raProfile.uuid)).toEqual({ uuid: '', name: '', cmpAvailable: false });
  });

  it.each([
    ['a CMP profile that is not there', (ra: string) => activate(ra, newUuid())],
    ['an RA profile that is not there', async () => activate(newUuid(), await test.addProfile())],
  ])('cannot be activated for %s', async (_what, attempt) => {
    const { uuid } = await test.addRaProfile();
    await expect(attempt(uuid)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await availability(uuid)).toEqual({ uuid: '', name: '', cmpAvailable: false });
  });
});
