// All operations of both interfaces. An operation is listed once it is served; nothing is declared in advance.
import { connectorBaseOperations } from './connector/every-connector.ts';
import { functionGroupOperations } from './connector/function-groups.ts';
import { accessTokenOperations } from './extensions/access-tokens.ts';
import { acmeEabKeyOperations } from './extensions/acme-eab-keys.ts';
import { acmeAccountSearchOperations } from './extensions/acme-account-search.ts';
import { acmeOrderOperations } from './extensions/acme-orders.ts';
import { keysAtRestOperations } from './extensions/keys-at-rest.ts';
import { auditVerificationOperations } from './extensions/audit-verification.ts';
import { certificateRenewalOperations } from './extensions/certificate-renewal.ts';
import { certificateSearchOperations } from './extensions/certificate-search.ts';
import { certificateSettlementOperations } from './extensions/certificate-settlement.ts';
import { certificateStatisticsOperations } from './extensions/certificate-statistics.ts';
import { customAttributeUseOperations } from './extensions/custom-attribute-use.ts';
import { connectorCallOperations } from './extensions/connector-calls.ts';
import { ownPermissionOperations } from './extensions/own-permissions.ts';
import { signInLinkOperations } from './extensions/sign-in-links.ts';
import { acmeAccountOperations } from './platform/acme-accounts.ts';
import { acmeProfileOperations } from './platform/acme-profiles.ts';
import { auditLogOperations } from './platform/audit-logs.ts';
import { authOperations } from './platform/auth.ts';
import { authorityOperations } from './platform/authorities.ts';
import { catalogueOperations } from './platform/catalogues.ts';
import { callbackOperations } from './platform/callbacks.ts';
import { certificateOperations } from './platform/certificates.ts';
import { clientOperations } from './platform/client-operations.ts';
import { connectorManagementOperations } from './platform/connectors.ts';
import { customAttributeOperations } from './platform/custom-attributes.ts';
import { globalMetadataOperations } from './platform/global-metadata.ts';
import { credentialOperations } from './platform/credentials.ts';
import { groupOperations } from './platform/groups.ts';
import { infoOperations } from './platform/info.ts';
import { legacyClientOperations } from './platform/legacy-client-operations.ts';
import { localOperations } from './platform/local.ts';
import { raProfileAcmeOperations } from './platform/ra-profile-acme.ts';
import { raProfileOperations } from './platform/ra-profiles.ts';
import { roleOperations } from './platform/roles.ts';
import { statisticsOperations } from './platform/statistics.ts';
import { userOperations } from './platform/users.ts';
import type { Operation, OperationTable } from './operation.ts';

/** Operations of the platform by area. Paths are relative to `/api`. */
export const platformAreas = {
  groups: groupOperations,
  customAttributes: customAttributeOperations,
  globalMetadata: globalMetadataOperations,
  connectors: connectorManagementOperations,
  callbacks: callbackOperations,
  credentials: credentialOperations,
  authorities: authorityOperations,
  raProfiles: raProfileOperations,
  raProfileAcme: raProfileAcmeOperations,
  acmeProfiles: acmeProfileOperations,
  acmeAccounts: acmeAccountOperations,
  certificates: certificateOperations,
  clientOperations,
  legacyClientOperations,
  users: userOperations,
  roles: roleOperations,
  auth: authOperations,
  auditLogs: auditLogOperations,
  info: infoOperations,
  catalogues: catalogueOperations,
  statistics: statisticsOperations,
  local: localOperations,
  accessTokens: accessTokenOperations,
  acmeEabKeys: acmeEabKeyOperations,
  acmeAccountSearch: acmeAccountSearchOperations,
  acmeOrders: acmeOrderOperations,
  customAttributeUse: customAttributeUseOperations,
  ownPermissions: ownPermissionOperations,
  signInLinks: signInLinkOperations,
  auditVerification: auditVerificationOperations,
  keysAtRest: keysAtRestOperations,
  connectorCalls: connectorCallOperations,
  certificateRenewal: certificateRenewalOperations,
  certificateSettlement: certificateSettlementOperations,
  certificateSearch: certificateSearchOperations,
  certificateStatistics: certificateStatisticsOperations,
} as const satisfies Record<string, OperationTable>;

type Areas = typeof platformAreas;
type Merged<Tables> = (Tables extends unknown ? (table: Tables) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Every operation of the platform by its key, which is unique across areas. */
export const platformOperations = Object.assign({}, ...Object.values(platformAreas)) as Readonly<
  Merged<Areas[keyof Areas]>
>; // the same tables, as one

const operationsOfConnectors: readonly Operation[] = [
  ...Object.values(connectorBaseOperations),
  ...Object.values<OperationTable>(functionGroupOperations).flatMap((table) => Object.values(table)),
];

/** Every operation that connectors serve, by its identifier. Paths are relative to the URL of the connector. */
export const connectorOperations: OperationTable = Object.fromEntries(
  operationsOfConnectors.map((operation) => [operation.id, operation]),
);
