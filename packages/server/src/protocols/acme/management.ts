// Management of ACME: profiles, their activation on RA profiles, accounts, keys of external account binding, and when clients are
// told to renew. What the protocol server needs of it is handed out here.
import type { AttributeEngine } from '../../areas/attributes/index.ts';
import type { AuditTrail } from '../../areas/audit/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAccountManagement } from './management/accounts.ts';
import { createActivationService } from './activation/service.ts';
import * as activations from './activation/store.ts';
import { createRenewalWindows, type CertificateLookup, type RenewalWindows } from './certificates/renewal-windows.ts';
import { createCertificateAttributes } from './certificate-attributes.ts';
import { createEabKeys, type EabKeys } from './eab-keys/service.ts';
import { managementRoutes } from './management-routes.ts';
import { createOrderList } from './management/list-orders.ts';
import { createAssociations, type Users } from './profiles/associations.ts';
import { createRaProfileDependants } from './profiles/ra-profile-removal.ts';
import { createAcmeProfileRemoval } from './profiles/remove-profiles.ts';
import { createServedProfiles, type ServedProfiles } from './profiles/served-profiles.ts';
import { createAcmeProfileService } from './profiles/service.ts';

export interface AcmeManagementParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly users: Users;
  readonly certificates: { readonly protocols: CertificateLookup };
  /** Scheme and authority of directories in answers, without a trailing slash. */
  readonly directoryBase: () => string;
  /** Told of accounts that an administrator changed, by their identifiers in URLs. */
  readonly onAccountsChanged?: (accountIds: readonly string[]) => void;
}

export interface AcmeManagement {
  readonly routes: readonly Route[];
  readonly servedProfiles: ServedProfiles;
  readonly eabKeys: EabKeys;
  readonly renewalWindows: RenewalWindows;
  /** The profile of this name; when there is none it is made, enabled, for the first start. */
  ensureDefaultProfile(
    profile: { readonly name: string; readonly raProfileUuid: string },
    context: RequestContext,
  ): Promise<string>;
}

export function createAcmeManagement(platform: Platform, parts: AcmeManagementParts): AcmeManagement {
  const { audit, attributes, raProfiles, users, directoryBase, onAccountsChanged = () => undefined } = parts;
  const certificateAttributes = createCertificateAttributes({ attributes, raProfiles });
  const associations = createAssociations(platform.database.executor, { attributes, users });
  const servedProfiles = createServedProfiles(platform, { raProfiles, certificateAttributes, associations });
  const shared = { ...parts, certificateAttributes, associations, onChange: servedProfiles.forget };
  const profiles = createAcmeProfileService(platform, shared);
  const eabKeys = createEabKeys(platform, { audit });
  const renewalWindows = createRenewalWindows(platform, { audit, certificates: parts.certificates.protocols });
  raProfiles.registerDependants(createRaProfileDependants(platform, shared));
  raProfiles.registerProtocol({ name: 'ACME', activatedOn: activations.activatedOn });

  return {
    routes: managementRoutes({
      profiles,
      removal: createAcmeProfileRemoval(platform, shared),
      activation: createActivationService(platform, { ...shared, directoryBase }),
      accounts: createAccountManagement(platform, { audit, raProfiles, onChange: onAccountsChanged }),
      eabKeys,
      renewalWindows,
      orders: createOrderList(platform),
    }),
    servedProfiles,
    eabKeys,
    renewalWindows,
    ensureDefaultProfile: profiles.ensure,
  };
}
