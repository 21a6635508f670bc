// ACME (RFC 8555): certificates for clients that prove control of the names.
// Owns: acme_account, acme_order, acme_authorization, acme_used_nonce, acme_renewal_window. Invariants: a revoked
// account stays revoked; a nonce is used once, on whatever node; an order names its certificate before anything is
// asked for, so it gets one.
import type { AuditTrail } from '../../areas/audit/index.ts';
import type { CertificatesArea } from '../../areas/certificates/index.ts';
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { DownloadParts } from './certificates/download.ts';
import { createRenewalWindows } from './certificates/renewal-windows.ts';
import { createAcmeManagement } from './management.ts';
import type { AcmeProfiles } from '../../areas/acme-profiles/index.ts';
import { listAccountIds } from './management/accounts.ts';
import { accountReading } from './management/search-fields.ts';
import { createAcmeServer, type AcmeSettings } from './server.ts';

export type { AcmeSettings } from './server.ts';
export type { AcmeTestMode } from './test-mode.ts';

export interface AcmeParts {
  readonly audit: AuditTrail;
  readonly raProfiles: RaProfiles;
  readonly acmeProfiles: AcmeProfiles;
  readonly certificates: Pick<CertificatesArea, 'assertVisible'>;
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  readonly inventory: Pick<InventoryArea, 'registerSearchField'> & DownloadParts;
  /** The system user that requests act as. */
  readonly actor: () => Promise<Actor>;
  /** Scheme and authority of directories in answers, without a trailing slash. */
  readonly directoryBase: () => string;
  /** Scheme and authority in addresses, from those under which a request came. */
  readonly linkOrigin: (requestOrigin: string) => string;
  readonly settings: AcmeSettings;
}

export function createAcmeProtocol(platform: Platform, parts: AcmeParts): Area {
  const { audit, issuing, inventory } = parts;
  const { assertVisible } = parts.certificates;
  const certificates = issuing.protocols;
  const renewalWindows = createRenewalWindows(platform, {
    audit,
    certificates,
    assertVisible,
  });
  inventory.registerSearchField({ field: 'ACME_ACCOUNT', reading: accountReading, list: listAccountIds });
  const server = createAcmeServer(platform, { ...parts, certificates, chains: inventory, renewalWindows });
  return {
    routes: createAcmeManagement(platform, { ...parts, renewalWindows, onAccountsChanged: server.forgetAccounts }),
    http: server.http,
    start: server.start,
    stop: server.stop,
  };
}
