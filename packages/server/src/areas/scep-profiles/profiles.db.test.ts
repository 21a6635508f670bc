import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRL_URL } from '../connectors/testing/fake-connector.ts';
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

const INTUNE = {
  enableIntune: true,
  intuneTenant: 'contoso.example',
  intuneApplicationId: 'app',
  intuneApplicationKey: 'canary-key',
};

const ATTRIBUTE = { uuid: CRL_URL.uuid, name: CRL_URL.name, contentType: 'string', content: [{ data: 'http://x' }] };

const rejectedWith = (...problems: string[]) => ({ code: 'rejected_by_rules', parameters: { problems } });
const audits = async (uuid: string) => {
  const rows = await test.database.query<{ operation: string }>(
    'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
    [JSON.stringify([{ uuid }])],
  );
  return rows.map(({ operation }) => operation);
};

describe('a new SCEP profile', () => {
  it("is disabled, has the API's defaults, and has no URL without an RA profile", async () => {
    const name = profileName();
    const uuid = await test.addProfile({ name });
    expect(await test.detail(uuid)).toEqual({
      uuid,
      name,
      enabled: false,
      description: undefined,
      raProfile: undefined,
      includeCaCertificate: false,
      includeCaCertificateChain: false,
      renewThreshold: undefined,
      scepUrl: undefined,
      enableIntune: false,
      issueCertificateAttributes: [],
      customAttributes: [],
      caCertificate: undefined,
      intuneTenant: undefined,
      intuneApplicationId: undefined,
      certificateAssociations: undefined,
      hasChallengePassword: false,
      hasIntuneApplicationKey: false,
      allowOldClients: false,
      bindNames: true,
      weakSecret: false,
      requireManualApproval: false,
      oneTimeChallenges: false,
      challengeWebhookUrl: undefined,
    });
    expect(await audits(uuid)).toEqual(['create']);
  });

  it.each([
    [undefined, false],
    ['fifteen letters', true],
    ['sixteen letters!', false],
  ])('with the challenge password %j is weak: %s', async (challengePassword, weakSecret) => {
    const uuid = await test.addProfile({ name: profileName(), ...(challengePassword && { challengePassword }) });
    const listed = (await test.call('listScepProfiles')).find((each) => each.uuid === uuid);
    expect([(await test.detail(uuid)).weakSecret, listed?.weakSecret]).toEqual([weakSecret, weakSecret]);
  });

  it('has a URL with its name if it has an RA profile, and the list shows the URL as well', async () => {
    const [name, raProfile] = [profileName(), await test.addRaProfile()];
    const uuid = await test.addProfile({ name, raProfileUuid: raProfile.uuid.toUpperCase() });
    const shown = {
      raProfile: { name: raProfile.name },
      scepUrl: `${ORIGIN}/api/v1/protocols/scep/${name}/pkiclient.exe`,
    };
    expect(await test.detail(uuid)).toMatchObject(shown);
    expect((await test.call('listScepProfiles')).find((each) => each.uuid === uuid)).toMatchObject(shown);
  });

  it.each([
    ['a reserved name', { name: 'raProfile' }, /^The name raProfile is reserved/],
    ['a name that does not fit in a URL', { name: 'a b' }, /^The name of an SCEP profile appears in URLs/],
    ['a negative setting', { renewalThreshold: -1 }, /^renewalThreshold: must not be negative$/],
    ['attributes without an RA profile', { issueCertificateAttributes: [ATTRIBUTE] }, /^raProfileUuid: is required/],
  ])('is rejected with %s', async (_what, facts, problem) => {
    await expect(test.addProfile(facts)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      parameters: { problems: [expect.stringMatching(problem)] },
    });
  });

  it('is rejected if its name is in use or if it refers to an unknown object', async () => {
    const name = profileName();
    await test.addProfile({ name });
    await expect(test.addProfile({ name })).rejects.toMatchObject({ code: 'already_exists' });
    for (const facts of [{ raProfileUuid: newUuid() }, { certificateAssociations: { ownerUuid: newUuid() } }])
      await expect(test.addProfile(facts)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is rejected if its certificate cannot decrypt with RSA, and the error states the reason', async () => {
    const unable = newUuid();
    test.problems.set(unable, 'The certificate ec.example has a key of type EC; RSA is required.');
    const name = profileName();
    await expect(test.addProfile({ name, caCertificateUuid: unable })).rejects.toMatchObject(
      rejectedWith('caCertificateUuid: The certificate ec.example has a key of type EC; RSA is required.'),
    );
    expect(test.uses.at(-1)).toEqual({ families: ['RSA'], decrypts: true });
    expect((await test.call('listScepProfiles')).map((each) => each.name)).not.toContain(name);
  });
});

describe('an edit', () => {
  it('keeps the challenge password if the edit omits it, and can change or remove it', async () => {
    const uuid = await test.addProfile({
      name: 'password-of-it',
      challengePassword: 'first',
      raProfileUuid: (await test.addRaProfile()).uuid,
    });
    const { raProfile } = await test.detail(uuid);
    const after = async (facts: object) => {
      const shown = await test.edit(uuid, { raProfileUuid: raProfile?.uuid, ...facts });
      const served = await test.scepProfiles.served.find('profile', 'password-of-it');
      return [shown.hasChallengePassword, served?.challengePassword?.reveal()];
    };
    expect(await after({})).toEqual([true, 'first']);
    expect(await after({ challengePassword: 'second' })).toEqual([true, 'second']);
    expect(await after({ challengePassword: '' })).toEqual([false, undefined]);
  });

  it('keeps the Intune settings, never shows the key, and removes the key only if Intune is disabled', async () => {
    const uuid = await test.addProfile(INTUNE);
    const edited = await test.edit(uuid);
    expect(edited).toMatchObject({
      enableIntune: true,
      intuneTenant: 'contoso.example',
      hasIntuneApplicationKey: true,
    });
    expect(JSON.stringify(edited)).not.toContain('canary');
    await expect(test.edit(uuid, { intuneApplicationKey: '' })).rejects.toMatchObject(
      rejectedWith('intuneApplicationKey: required if Microsoft Intune validates requests (enableIntune)'),
    );
    expect(await test.edit(uuid, { enableIntune: false, intuneApplicationKey: '' })).toMatchObject({
      enableIntune: false,
      hasIntuneApplicationKey: false,
    });
    expect(await audits(uuid)).toEqual(['create', 'update', 'update']);
  });

  it('is rejected for an unknown profile, or if the certificate can no longer be used', async () => {
    await expect(test.edit(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
    const uuid = await test.addProfile();
    test.problems.set(CA_UUID, 'The certificate scep.example is revoked. Choose a different certificate.');
    try {
      await expect(test.edit(uuid, { description: 'changed' })).rejects.toMatchObject(
        rejectedWith('caCertificateUuid: The certificate scep.example is revoked. Choose a different certificate.'),
      );
    } finally {
      test.problems.delete(CA_UUID);
    }
    expect((await test.detail(uuid)).description).toBeUndefined();
  });

  it('changes nothing if its audit record cannot be written', async () => {
    const uuid = await test.addProfile({ description: 'before' });
    test.audit.isBroken = true;
    try {
      await expect(test.edit(uuid, { description: 'after' })).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect((await test.detail(uuid)).description).toBe('before');
  });
});
