// Management of the protocol's data: accounts, orders and renewal windows. Both requests and operators write these
// rows, and the rows are deleted together, so this module handles both. Profiles and external account keys, which only
// operators change, are a separate area.
import type { AuditTrail } from '../../areas/audit/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RenewalWindows } from './certificates/renewal-windows.ts';
import { createAccountQueries } from './management/accounts.ts';
import { createAccountChanges } from './management/change-accounts.ts';
import { createOrderList } from './management/list-orders.ts';
import { managementRoutes } from './management/routes.ts';
import { removeContentsOfProfiles, removeOfRaProfiles } from './management/store-accounts.ts';
import type { AcmeProfiles } from '../../areas/acme-profiles/index.ts';

export interface AcmeManagementParts {
  readonly audit: AuditTrail;
  readonly raProfiles: RaProfiles;
  readonly acmeProfiles: Pick<AcmeProfiles, 'nameOf' | 'registerDependants'>;
  readonly renewalWindows: RenewalWindows;
  /** Called with the identifiers (as in URLs) of accounts that an administrator changed. */
  readonly onAccountsChanged: (accountIds: readonly string[]) => void;
}

export function createAcmeManagement(platform: Platform, parts: AcmeManagementParts): readonly Route[] {
  const { audit, raProfiles, acmeProfiles, renewalWindows, onAccountsChanged } = parts;
  acmeProfiles.registerDependants({ onProfilesRemoved: removeContentsOfProfiles });
  raProfiles.registerDependants({ onRaProfilesRemoved: removeOfRaProfiles });
  return managementRoutes({
    accounts: {
      ...createAccountQueries(platform, { raProfiles }),
      ...createAccountChanges(platform, { audit, onChange: onAccountsChanged }),
    },
    orders: createOrderList(platform, { acmeProfiles }),
    renewalWindows,
  });
}
