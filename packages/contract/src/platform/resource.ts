// The resources of the permission model, their features, and the actions on them.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/** Kinds of objects. Permissions, audit records, custom attributes and events identify an object by its resource. */
export const Resource = enumeration('Resource', {
  NONE: 'None',
  ANY: 'Any',
  dashboard: 'Dashboard',
  settings: 'Settings',
  auditLogs: 'Audit logs',
  credentials: 'Credential',
  connectors: 'Connector',
  attributes: 'Attribute',
  jobs: 'Scheduled job',
  users: 'User',
  roles: 'Role',
  acmeAccounts: 'ACME Account',
  acmeProfiles: 'ACME Profile',
  scepProfiles: 'SCEP Profile',
  cmpProfiles: 'CMP Profile',
  authorities: 'Authority',
  raProfiles: 'RA Profile',
  certificates: 'Certificate',
  certificateRequests: 'Certificate Request',
  groups: 'Group',
  complianceProfiles: 'Compliance Profile',
  discoveries: 'Discovery',
  oids: 'OID',
  entities: 'Entity',
  locations: 'Location',
  tokenProfiles: 'Token Profile',
  tokens: 'Token',
  keys: 'Key',
  approvalProfiles: 'Approval profile',
  approvals: 'Approval',
  notificationProfiles: 'Notification profile',
  notificationInstances: 'Notification instance',
  rules: 'Rule',
  actions: 'Action',
  triggers: 'Trigger',
  resources: 'Resource',
  resourceEvents: 'Resource Event',
  searchFilters: 'Search Filter',
  keyItems: 'Key item',
  platformEnums: 'Platform enumerator',
  notifications: 'Notification',
  conditions: 'Condition',
  executions: 'Execution',
  complianceRules: 'Compliance Rule',
  complianceGroups: 'Compliance Group',
  customAttributes: 'Custom Attribute',
  globalMetadata: 'Global Metadata',
  acmeOrders: 'ACME Order',
  acmeAuthorizations: 'ACME Authorization',
  acmeChallenges: 'ACME Challenge',
  cmpTransactions: 'CMP Transaction',
  endEntityProfiles: 'End entity profile',
  authenticationProviders: 'Authentication Provider',
});
export type Resource = z.output<typeof Resource>;

/** Actions of the permission model in the published interface; `Action` contains those used in permissions. */
export const ResourceAction = enumeration('ResourceAction', {
  NONE: 'None',
  ANY: 'Any',
  members: 'Members',
  list: 'List',
  detail: 'Detail',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  enable: 'Enable',
  activate: 'Activate',
  approve: 'Approve',
  connect: 'Connect',
  issue: 'Issue',
  renew: 'Renew',
  rekey: 'Rekey',
  revoke: 'Revoke',
  archive: 'Archive',
  export: 'Export',
  checkCompliance: 'Check compliance',
  activateAcme: 'Activate ACME',
  encrypt: 'Encrypt',
  decrypt: 'Decrypt',
  verify: 'Verify',
  sign: 'Sign',
});
export type ResourceAction = z.output<typeof ResourceAction>;

/** Features that the platform supports for a resource's objects. */
export interface ResourceFlags {
  /** Whether permissions can be granted on individual objects. */
  readonly hasObjectAccess: boolean;
  readonly hasCustomAttributes: boolean;
  readonly hasGroups: boolean;
  readonly hasOwner: boolean;
  /** Whether compliance is evaluated for the resource's objects. */
  readonly complianceSubject: boolean;
  /** Whether compliance profiles can be associated with the resource's objects. */
  readonly hasComplianceProfiles: boolean;
}

type Flag = keyof ResourceFlags;

/** Flags that are set for each resource; resources that are not listed have none. */
const flagged: Partial<Record<Resource, readonly Flag[]>> = {
  credentials: ['hasObjectAccess', 'hasCustomAttributes'],
  connectors: ['hasObjectAccess', 'hasCustomAttributes'],
  attributes: ['hasObjectAccess'],
  users: ['hasCustomAttributes', 'hasGroups'],
  roles: ['hasCustomAttributes'],
  acmeProfiles: ['hasObjectAccess', 'hasCustomAttributes'],
  scepProfiles: ['hasObjectAccess', 'hasCustomAttributes'],
  cmpProfiles: ['hasObjectAccess', 'hasCustomAttributes'],
  authorities: ['hasObjectAccess', 'hasCustomAttributes'],
  raProfiles: ['hasObjectAccess', 'hasCustomAttributes', 'hasComplianceProfiles'],
  certificates: ['hasCustomAttributes', 'hasGroups', 'hasOwner', 'complianceSubject'],
  certificateRequests: ['complianceSubject'],
  groups: ['hasObjectAccess', 'hasCustomAttributes'],
  complianceProfiles: ['hasObjectAccess', 'hasCustomAttributes'],
  discoveries: ['hasCustomAttributes'],
  oids: ['hasObjectAccess'],
  entities: ['hasObjectAccess', 'hasCustomAttributes'],
  locations: ['hasObjectAccess', 'hasCustomAttributes'],
  tokenProfiles: ['hasObjectAccess', 'hasCustomAttributes', 'hasComplianceProfiles'],
  tokens: ['hasObjectAccess', 'hasCustomAttributes'],
  keys: ['hasCustomAttributes', 'hasGroups', 'hasOwner', 'complianceSubject'],
};

/** Returns the flags of a resource, as in `GET /v1/resources`. */
export function resourceFlags(resource: Resource): ResourceFlags {
  const has = (flag: Flag) => flagged[resource]?.includes(flag) ?? false;
  return {
    hasObjectAccess: has('hasObjectAccess'),
    hasCustomAttributes: has('hasCustomAttributes'),
    hasGroups: has('hasGroups'),
    hasOwner: has('hasOwner'),
    complianceSubject: has('complianceSubject'),
    hasComplianceProfiles: has('hasComplianceProfiles'),
  };
}
