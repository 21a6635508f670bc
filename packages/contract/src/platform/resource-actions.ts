// The actions of permissions, by resource: what operations require, what a role can be granted, and what
// `GET /v1/auth/resources` returns, in its order. More than the operations served so far use, so that roles of other
// installations of the interface keep their meaning.
import type { Resource, ResourceAction } from './resource.ts';

const plain = ['list', 'detail', 'create', 'update', 'delete'] as const;
const enabled = [...plain, 'enable'] as const;

/** A resource without an entry has no permissions. */
export const resourceActions = {
  settings: ['list', 'detail', 'update'],
  auditLogs: ['list', 'export', 'delete'],
  credentials: enabled,
  connectors: [...plain, 'connect', 'approve', 'ANY'],
  attributes: [...enabled, 'members'],
  jobs: ['list', 'detail', 'delete', 'enable'],
  users: enabled,
  roles: plain,
  acmeAccounts: ['list', 'detail', 'enable', 'revoke'],
  acmeProfiles: enabled,
  scepProfiles: enabled,
  cmpProfiles: enabled,
  authorities: [...plain, 'members', 'ANY'],
  raProfiles: [...enabled, 'checkCompliance', 'members', 'ANY'],
  certificates: [...plain, 'issue', 'renew', 'revoke', 'archive', 'ANY'],
  groups: [...plain, 'members'],
  complianceProfiles: [...plain, 'checkCompliance'],
  discoveries: plain,
  oids: plain,
  entities: [...plain, 'ANY'],
  locations: [...enabled, 'ANY'],
  tokenProfiles: enabled,
  tokens: [...plain, 'activate', 'members', 'ANY'],
  keys: [...enabled, 'sign', 'verify', 'encrypt', 'decrypt', 'ANY'],
  approvalProfiles: plain,
  approvals: ['list', 'approve'],
  notificationProfiles: plain,
  notificationInstances: plain,
  rules: plain,
  actions: plain,
  triggers: plain,
} as const satisfies Partial<Record<Resource, readonly ResourceAction[]>>;

/** An action of the permission model (domain term: ResourceAction). `ANY` requires any action on the object. */
export type Action = (typeof resourceActions)[keyof typeof resourceActions][number];

/** Resources that permissions are granted for, in the order of the table. */
// its own keys
export const permissionResources = Object.keys(resourceActions) as readonly (keyof typeof resourceActions)[];

/** Actions that can be granted for a resource; none if it has no permissions. */
export const actionsOf = (resource: Resource): readonly Action[] =>
  (resourceActions as Partial<Record<Resource, readonly Action[]>>)[resource] ?? [];
