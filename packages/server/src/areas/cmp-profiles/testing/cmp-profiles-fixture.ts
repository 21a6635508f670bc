// CMP profiles in a real database, with a fake authority and signing certificates that behave as each test specifies.
import { newUuid } from '../../../kernel/ids.ts';
import { ORIGIN, profilesFixture, signingCertificatesFor } from '../../protocol-profiles/testing/profiles-fixture.ts';
import { createCmpProfilesArea } from '../index.ts';

export { ORIGIN };
export const SECRET = 'a secret of the factory';

export type CmpProfilesFixture = Awaited<ReturnType<typeof cmpProfilesFixture>>;

/** Creates the fixture; the caller must close it. */
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
    /** Creates a profile, with a shared secret by default. */
    addProfile: async (facts: object = {}) =>
      (await fixture.call('createCmpProfile', { body: { ...settings(), sharedSecret: SECRET, ...facts } })).uuid,
  };
}

/** Returns all required settings of a profile except its secret. */
export const settings = (facts: object = {}) => ({
  name: `cmp-${newUuid()}`,
  variant: 'v2' as const,
  requestProtectionMethod: 'sharedSecret' as const,
  responseProtectionMethod: 'sharedSecret' as const,
  ...facts,
});
