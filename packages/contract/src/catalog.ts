// All operations in both interfaces. An operation is listed only once it is implemented. Nothing is declared in
// advance.
import { connectorBaseOperations } from './connector/base-operations.ts';
import { functionGroupOperations } from './connector/function-groups.ts';
import { accessTokenOperations } from './extensions/access-tokens.ts';
import { acmeEabKeyOperations } from './extensions/acme-eab-keys.ts';
import { acmeAccountSearchOperations } from './extensions/acme-account-search.ts';
import { acmeOrderOperations } from './extensions/acme-orders.ts';
import { enrollmentOperations, enrollmentSecretOperations } from './extensions/enrollments.ts';
import { estProfileOperations, raProfileEstOperations } from './extensions/est-profiles.ts';
import { scepRaCertificateOperations } from './extensions/scep-ra-certificates.ts';
import { keyExportabilityOperations, keyFileOperations } from './extensions/key-files.ts';
import { keysAtRestOperations } from './extensions/keys-at-rest.ts';
import { auditLinesOperations } from './extensions/audit-lines.ts';
import { auditReadsSettingsOperations } from './extensions/audit-reads.ts';
import { auditVerificationOperations } from './extensions/audit-verification.ts';
import { certificateLineageOperations } from './extensions/certificate-lineage.ts';
import { chainValidationOperations } from './extensions/chain-validation.ts';
import { certificateParsingOperations } from './extensions/certificate-parsing.ts';
import { certificateChangeOperations } from './extensions/certificate-changes.ts';
import { certificateImportOperations } from './extensions/certificate-import.ts';
import { certificateRenewalOperations } from './extensions/certificate-renewal.ts';
import { certificateSearchOperations } from './extensions/certificate-search.ts';
import { certificateHoldOperations } from './extensions/certificate-hold.ts';
import { certificateSettlementOperations } from './extensions/certificate-settlement.ts';
import {
  automaticRenewalOperations,
  renewalLimitOperations,
  renewalSettingsOperations,
  unattendedCertificateOperations,
} from './extensions/automatic-renewal.ts';
import { renewalSimulationOperations } from './extensions/renewal-simulation.ts';
import {
  expiryThresholdOperations,
  groupExpiryThresholdOperations,
  raProfileExpiryThresholdOperations,
} from './extensions/expiry-thresholds.ts';
import { complianceRunOperations } from './extensions/compliance-runs.ts';
import { discoveryRunOperations } from './extensions/discovery-runs.ts';
import { eventFeedOperations } from './extensions/event-feed.ts';
import { locationDeploymentOperations } from './extensions/location-deployment.ts';
import { notificationDeliveryOperations } from './extensions/notification-deliveries.ts';
import { scheduledJobRunOperations } from './extensions/scheduled-job-runs.ts';
import { validationRunOperations } from './extensions/validation-runs.ts';
import { certificateStatisticsOperations } from './extensions/certificate-statistics.ts';
import { derivedDataOperations } from './extensions/derived-data.ts';
import { customAttributeUseOperations } from './extensions/custom-attribute-use.ts';
import { connectorCallOperations } from './extensions/connector-calls.ts';
import { effectivePermissionOperations } from './extensions/effective-permissions.ts';
import { externalIdentityOperations, identityProviderOperations } from './extensions/identity-providers.ts';
import { inventoryStatisticsOperations } from './extensions/inventory-statistics.ts';
import { ownPermissionOperations } from './extensions/own-permissions.ts';
import { roleTemplateOperations } from './extensions/role-templates.ts';
import { retentionOperations } from './extensions/retention.ts';
import { savedViewOperations } from './extensions/saved-views.ts';
import { userAccessOperations } from './extensions/user-access.ts';
import { workflowDefinitionOperations } from './extensions/workflow-definitions.ts';
import { signInLinkOperations } from './extensions/sign-in-links.ts';
import { invitationOperations } from './extensions/invitations.ts';
import { passkeyOperations } from './extensions/passkeys.ts';
import { sessionOperations } from './extensions/sessions.ts';
import { connectorV2Operations } from './later-versions/connectors.ts';
import { oauth2LoginOperations } from './later-versions/oauth2-login.ts';
import { acmeAccountOperations } from './platform/acme-accounts.ts';
import { acmeProfileOperations } from './platform/acme-profiles.ts';
import { scepProfileOperations } from './platform/scep-profiles.ts';
import { cmpProfileOperations } from './platform/cmp-profiles.ts';
import { approvalProfileOperations } from './platform/approval-profiles.ts';
import { approvalOperations } from './platform/approvals.ts';
import { auditLogOperations } from './platform/audit-logs.ts';
import { authOperations } from './platform/auth.ts';
import { authorityOperations } from './platform/authorities.ts';
import { catalogOperations } from './platform/catalogs.ts';
import { callbackOperations } from './platform/callbacks.ts';
import { certificateOperations } from './platform/certificates.ts';
import { clientOperations } from './platform/client-operations.ts';
import { complianceOperations, complianceProfileOperations } from './platform/compliance-profiles.ts';
import { connectorManagementOperations } from './platform/connectors.ts';
import { keyUseOperations } from './platform/cryptographic-operations.ts';
import { customAttributeOperations } from './platform/custom-attributes.ts';
import { globalMetadataOperations } from './platform/global-metadata.ts';
import { credentialOperations } from './platform/credentials.ts';
import { entityInstanceOperations } from './platform/entities.ts';
import { groupOperations } from './platform/groups.ts';
import { discoveryOperations } from './platform/discoveries.ts';
import { infoOperations } from './platform/info.ts';
import { scheduledJobOperations } from './platform/scheduled-jobs.ts';
import { keyManagementOperations } from './platform/keys.ts';
import { legacyClientOperations } from './platform/legacy-client-operations.ts';
import {
  certificateComplianceOperations,
  legacyComplianceProfileOperations,
  raProfileComplianceOperations,
} from './platform/legacy-compliance.ts';
import { localOperations } from './platform/local.ts';
import { locationOperations } from './platform/locations.ts';
import { notificationInstanceOperations } from './platform/notification-instances.ts';
import { notificationProfileOperations } from './platform/notification-profiles.ts';
import { notificationOperations } from './platform/notifications.ts';
import { oidOperations } from './platform/oids.ts';
import { raProfileAcmeOperations } from './platform/ra-profile-acme.ts';
import { raProfileCmpOperations } from './platform/ra-profile-cmp.ts';
import { raProfileApprovalOperations } from './platform/ra-profile-approvals.ts';
import { raProfileOperations } from './platform/ra-profiles.ts';
import { raProfileScepOperations } from './platform/ra-profile-scep.ts';
import { roleOperations } from './platform/roles.ts';
import {
  authenticationSettingsOperations,
  eventSettingsOperations,
  loggingSettingsOperations,
  platformSettingsOperations,
} from './platform/settings.ts';
import { statisticsOperations } from './platform/statistics.ts';
import { tokenProfileOperations } from './platform/token-profiles.ts';
import { tokenInstanceOperations } from './platform/tokens.ts';
import { userOperations } from './platform/users.ts';
import { workflowEvaluationOperations, workflowTrialOperations } from './extensions/workflow-evaluations.ts';
import {
  triggerHistoryOperations,
  workflowActionOperations,
  workflowRuleOperations,
  workflowTriggerOperations,
} from './platform/workflows.ts';
import type { Operation, OperationTable } from './operation.ts';

/** Platform operations by area. Paths are relative to `/api`. */
export const platformAreas = {
  groups: groupOperations,
  discoveries: discoveryOperations,
  scheduledJobs: scheduledJobOperations,
  oids: oidOperations,
  customAttributes: customAttributeOperations,
  globalMetadata: globalMetadataOperations,
  connectors: connectorManagementOperations,
  connectorsV2: connectorV2Operations,
  callbacks: callbackOperations,
  credentials: credentialOperations,
  authorities: authorityOperations,
  raProfiles: raProfileOperations,
  raProfileAcme: raProfileAcmeOperations,
  raProfileScep: raProfileScepOperations,
  acmeProfiles: acmeProfileOperations,
  scepProfiles: scepProfileOperations,
  raProfileCmp: raProfileCmpOperations,
  cmpProfiles: cmpProfileOperations,
  acmeAccounts: acmeAccountOperations,
  tokens: tokenInstanceOperations,
  tokenProfiles: tokenProfileOperations,
  keys: keyManagementOperations,
  keyUse: keyUseOperations,
  entities: entityInstanceOperations,
  locations: locationOperations,
  notifications: notificationOperations,
  notificationInstances: notificationInstanceOperations,
  notificationProfiles: notificationProfileOperations,
  certificates: certificateOperations,
  clientOperations,
  legacyClientOperations,
  users: userOperations,
  roles: roleOperations,
  auth: authOperations,
  platformSettings: platformSettingsOperations,
  eventSettings: eventSettingsOperations,
  loggingSettings: loggingSettingsOperations,
  authenticationSettings: authenticationSettingsOperations,
  oauth2Login: oauth2LoginOperations,
  approvalProfiles: approvalProfileOperations,
  approvals: approvalOperations,
  raProfileApprovals: raProfileApprovalOperations,
  complianceProfiles: complianceProfileOperations,
  compliance: complianceOperations,
  legacyComplianceProfiles: legacyComplianceProfileOperations,
  raProfileCompliance: raProfileComplianceOperations,
  certificateCompliance: certificateComplianceOperations,
  workflowRules: workflowRuleOperations,
  workflowActions: workflowActionOperations,
  workflowTriggers: workflowTriggerOperations,
  triggerHistory: triggerHistoryOperations,
  workflowEvaluations: workflowEvaluationOperations,
  workflowTrials: workflowTrialOperations,
  auditLogs: auditLogOperations,
  info: infoOperations,
  catalogues: catalogOperations,
  statistics: statisticsOperations,
  local: localOperations,
  accessTokens: accessTokenOperations,
  acmeEabKeys: acmeEabKeyOperations,
  acmeAccountSearch: acmeAccountSearchOperations,
  acmeOrders: acmeOrderOperations,
  enrollments: enrollmentOperations,
  enrollmentSecrets: enrollmentSecretOperations,
  estProfiles: estProfileOperations,
  raProfileEst: raProfileEstOperations,
  scepRaCertificates: scepRaCertificateOperations,
  customAttributeUse: customAttributeUseOperations,
  ownPermissions: ownPermissionOperations,
  effectivePermissions: effectivePermissionOperations,
  roleTemplates: roleTemplateOperations,
  savedViews: savedViewOperations,
  userAccess: userAccessOperations,
  signInLinks: signInLinkOperations,
  invitations: invitationOperations,
  passkeys: passkeyOperations,
  sessions: sessionOperations,
  auditVerification: auditVerificationOperations,
  auditLines: auditLinesOperations,
  auditReadsSettings: auditReadsSettingsOperations,
  keysAtRest: keysAtRestOperations,
  keyExportability: keyExportabilityOperations,
  keyFiles: keyFileOperations,
  connectorCalls: connectorCallOperations,
  identityProviders: identityProviderOperations,
  externalIdentities: externalIdentityOperations,
  certificateParsing: certificateParsingOperations,
  certificateLineage: certificateLineageOperations,
  chainValidation: chainValidationOperations,
  certificateChanges: certificateChangeOperations,
  certificateImport: certificateImportOperations,
  certificateRenewal: certificateRenewalOperations,
  certificateHold: certificateHoldOperations,
  certificateSettlement: certificateSettlementOperations,
  validationRuns: validationRunOperations,
  automaticRenewal: automaticRenewalOperations,
  renewalSettings: renewalSettingsOperations,
  renewalLimits: renewalLimitOperations,
  unattendedCertificates: unattendedCertificateOperations,
  renewalSimulation: renewalSimulationOperations,
  expiryThresholds: expiryThresholdOperations,
  raProfileExpiryThresholds: raProfileExpiryThresholdOperations,
  groupExpiryThresholds: groupExpiryThresholdOperations,
  complianceRuns: complianceRunOperations,
  discoveryRuns: discoveryRunOperations,
  eventFeed: eventFeedOperations,
  locationDeployment: locationDeploymentOperations,
  notificationDeliveries: notificationDeliveryOperations,
  scheduledJobRuns: scheduledJobRunOperations,
  certificateSearch: certificateSearchOperations,
  certificateStatistics: certificateStatisticsOperations,
  derivedData: derivedDataOperations,
  inventoryStatistics: inventoryStatisticsOperations,
  workflowDefinitions: workflowDefinitionOperations,
  retention: retentionOperations,
} as const satisfies Record<string, OperationTable>;

type Areas = typeof platformAreas;
type Merged<Tables> = (Tables extends unknown ? (table: Tables) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** All platform operations by key. Keys are unique across areas. */
export const platformOperations = Object.assign({}, ...Object.values(platformAreas)) as Readonly<
  Merged<Areas[keyof Areas]>
>; // The type describes the same tables, merged.

const operationsOfConnectors: readonly Operation[] = [
  ...Object.values(connectorBaseOperations),
  ...Object.values<OperationTable>(functionGroupOperations).flatMap((table) => Object.values(table)),
];

/** Every operation that connectors serve, by identifier. Paths are relative to the connector URL. */
export const connectorOperations: OperationTable = Object.fromEntries(
  operationsOfConnectors.map((operation) => [operation.id, operation]),
);
