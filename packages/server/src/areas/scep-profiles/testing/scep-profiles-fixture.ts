// SCEP profiles over a real database, with a fake authority and CA certificates whose usability tests control.
import { newUuid } from '../../../kernel/ids.ts';
import { ORIGIN, profilesFixture, signingCertificatesFor } from '../../protocol-profiles/testing/profiles-fixture.ts';
import { createScepProfilesArea, type ScepProfileAreas } from '../index.ts';

export { ORIGIN };
export const CA_UUID = '44444444-0000-7000-8000-00000000000a';

export type ScepProfilesFixture = Awaited<ReturnType<typeof scepProfilesFixture>>;

/** The caller must close it. */
export async function scepProfilesFixture() {
  const { problems, uses, signingCertificates } = signingCertificatesFor();
  const { profiles, ...fixture } = await profilesFixture((platform, below) =>
    createScepProfilesArea(platform, {
      ...below,
      ...uncalled,
      signingCertificates: { ...signingCertificates, keyOf: async () => undefined },
      inventory: { registerSearchField: () => undefined },
      directoryBase: () => ORIGIN,
    }),
  );
  const { call } = fixture;
  return {
    ...fixture,
    scepProfiles: profiles,
    problems,
    uses,
    addProfile: async (facts: object = {}) =>
      (await call('createScepProfile', { body: { name: profileName(), ...settings(), ...facts } })).uuid,
    detail: (uuid: string) => call('getScepProfile', { params: { uuid } }),
    edit: (uuid: string, facts: object = {}) =>
      call('editScepProfile', { params: { uuid }, body: { ...settings(), ...facts } }),
  };
}

export const profileName = (): string => `scep-${newUuid()}`;

/** For SCEP RA certificates, which end-to-end tests create. */
const uncalled = {} as Pick<ScepProfileAreas, 'tokens' | 'keys' | 'authorities' | 'issuing'>;

/** Required settings of a profile, except its name. */
const settings = () => ({ caCertificateUuid: CA_UUID, issueCertificateAttributes: [] });
