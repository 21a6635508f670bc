// ACME (RFC 8555): certificates for clients that prove control of the names. Owns: acme_account, acme_order,
// acme_authorization, acme_used_nonce, acme_renewal_window. Invariants: a revoked account stays revoked; a nonce is
// used once across all nodes; an order is assigned a certificate UUID before anything is requested, so it gets only one
// certificate.
//
// requests/directory.ts, serve.ts         directory and new nonces; processing of a request
// requests/authenticate.ts, nonces.ts     signature, key and URL of a request (JWS); lifetime of nonces
// accounts/                               new-account.ts, external-binding.ts (EAB), change-key.ts, contact.ts
// orders/vouching.ts                      external account binding instead of validation
// orders/new-order.ts, order-limits.ts    new orders and limits per account; names: name-policies.ts
// orders/finalize-order.ts, check-csr.ts  finalization: checks the CSR, then issues with issue-order.ts
// authorizations/validation-work.ts       retry delay of challenges, which start in respond-to-challenge.ts
// validation/                             http-01.ts, tls-alpn-01.ts, dns-01.ts, dns-persist-01.ts, check-caa.ts
// validation/reachable-addresses.ts       permitted connection targets; dns-lookups.ts, time-limit.ts
// certificates/renewal-window.ts          renewal information (ARI); windows set by operators: renewal-windows.ts
// certificates/download.ts, revoke.ts     certificates with alternate chains, and revocation by clients
// management/, management.ts              accounts, orders and renewal windows for administrators
// model/                                  identifiers.ts (names), problems.ts (errors), urls.ts, tables.ts
// unfinished-work.ts, clean-up.ts         takes over work from other nodes; removes expired data
// server.ts, http.ts, cross-origin.ts     operations, routes, and CORS for clients in browsers
// test-mode.ts, store-upkeep.ts           deliberate faults; queries for unfinished and old orders
import type { AuditTrail } from '../../areas/audit/index.ts';
import type { CertificatesArea } from '../../areas/certificates/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
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
  readonly enrollments: Pick<Enrollments, 'recordRejection'>;
  readonly certificates: Pick<CertificatesArea, 'assertVisible'>;
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  readonly inventory: Pick<InventoryArea, 'registerSearchField'> & DownloadParts;
  /** System user on whose behalf requests run. */
  readonly actor: () => Promise<Actor>;
  /** Scheme and authority of directory URLs in responses, without a trailing slash. */
  readonly directoryBase: () => string;
  /** Returns scheme and authority for URLs, derived from those of the request. */
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
