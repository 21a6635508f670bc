// For ACME tests only: accounts, orders and renewal windows as operators see them, with real profiles.
import { acmeProfilesFixture } from '../../../areas/acme-profiles/testing/acme-profiles-fixture.ts';
import { createRenewalWindows } from '../certificates/renewal-windows.ts';
import { createAcmeManagement } from '../management.ts';

export type ManagementFixture = Awaited<ReturnType<typeof managementFixture>>;

/** Creates the fixture; the caller closes it. */
export async function managementFixture() {
  const changedAccounts: string[] = [];
  const test = await acmeProfilesFixture((platform, { audit, raProfiles, acmeProfiles }) =>
    createAcmeManagement(platform, {
      audit,
      raProfiles,
      acmeProfiles,
      renewalWindows: createRenewalWindows(platform, {
        audit,
        certificates: { findByUuids: () => Promise.resolve([]) },
        assertVisible: () => Promise.resolve(),
      }),
      onAccountsChanged: (accountIds) => void changedAccounts.push(...accountIds),
    }),
  );
  return { ...test, changedAccounts };
}
