// Permission actions by resource: actions that operations require, that roles can grant, and that `GET
// /v1/auth/resources` returns, in the same order. Includes actions that no operation requires yet, so that roles from
// other installations keep their meaning.
import type { Resource, ResourceAction } from './resource.ts';

const plain = ['list', 'detail', 'create', 'update', 'delete'] as const;
const enabled = [...plain, 'enable'] as const;

/** Resources without an entry have no permissions. */
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
  tokenProfiles: [...enabled, 'export'],
  tokens: [...plain, 'activate', 'members', 'export', 'ANY'],
  keys: [...enabled, 'sign', 'verify', 'encrypt', 'decrypt', 'export', 'ANY'],
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

/** Resources for which permissions can be granted, in the order of the table. */
// Object.keys returns exactly the keys of the table, hence the cast.
export const permissionResources = Object.keys(resourceActions) as readonly (keyof typeof resourceActions)[];

/** Returns the actions that can be granted for a resource; empty if it has no permissions. */
export const actionsOf = (resource: Resource): readonly Action[] =>
  (resourceActions as Partial<Record<Resource, readonly Action[]>>)[resource] ?? [];
