// Profiles of CMP over a real database, with a fake authority and certificates that sign as a test says.
import { newUuid } from '../../../kernel/ids.ts';
import { ORIGIN, profilesFixture, signingCertificatesFor } from '../../protocol-profiles/testing/profiles-fixture.ts';
import { createCmpProfilesArea } from '../index.ts';

export { ORIGIN };
export const SECRET = 'a secret of the factory';

export type CmpProfilesFixture = Awaited<ReturnType<typeof cmpProfilesFixture>>;

/** The caller closes it. */
export async function cmpProfilesFixture() {
  const { problems, uses, signingCertificates } = signingCertificatesFor();
  const { profiles, ...fixture } = await profilesFixture((platform, below) =>
    createCmpProfilesArea(platform, {
      ...below,
      signingCertificates,
      inventory: { registerSearchField: () => undefined },
      directoryBase: () => ORIGIN,
    }),
  );
  return {
    ...fixture,
    cmpProfiles: profiles,
    problems,
    uses,
    /** Under a shared secret, unless it says otherwise. */
    addProfile: async (facts: object = {}) =>
      (await fixture.call('createCmpProfile', { body: { ...settings(), sharedSecret: SECRET, ...facts } })).uuid,
  };
}

/** Everything that a profile needs but for its secret. */
export const settings = (facts: object = {}) => ({
  name: `cmp-${newUuid()}`,
  variant: 'v2' as const,
  requestProtectionMethod: 'sharedSecret' as const,
  responseProtectionMethod: 'sharedSecret' as const,
  ...facts,
});
