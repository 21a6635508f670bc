// The actions that guard something, by resource: what a role can be given, and what `GET /v1/auth/resources` offers.
// Wider than the operations served so far: roles made for another installation of the interface keep their meaning.
import type { Action } from '../operation.ts';
import type { Resource } from './resource.ts';

/** An action that can be granted. `ANY` is asked for by operations, never granted. */
export type GrantableAction = Exclude<Action, 'ANY'>;

const kept = ['list', 'detail', 'create', 'update', 'delete'] as const satisfies readonly GrantableAction[];

/** A resource without an entry guards nothing. */
export const resourceActions: Readonly<Partial<Record<Resource, readonly GrantableAction[]>>> = {
  acmeAccounts: ['list', 'detail', 'enable', 'revoke'],
  acmeProfiles: [...kept, 'enable'],
  actions: kept,
  approvalProfiles: kept,
  approvals: ['list', 'approve'],
  attributes: [...kept, 'enable', 'members'],
  auditLogs: ['list', 'export', 'delete'],
  authorities: [...kept, 'members'],
  certificates: [...kept, 'issue', 'renew', 'revoke', 'archive'],
  cmpProfiles: [...kept, 'enable'],
  complianceProfiles: [...kept, 'checkCompliance'],
  connectors: [...kept, 'connect', 'approve'],
  credentials: [...kept, 'enable'],
  discoveries: kept,
  entities: kept,
  groups: [...kept, 'members'],
  jobs: ['list', 'detail', 'delete', 'enable'],
  keys: [...kept, 'enable', 'sign', 'verify', 'encrypt', 'decrypt'],
  locations: [...kept, 'enable'],
  notificationInstances: kept,
  notificationProfiles: kept,
  oids: kept,
  raProfiles: [...kept, 'enable', 'checkCompliance', 'members'],
  roles: kept,
  rules: kept,
  scepProfiles: [...kept, 'enable'],
  settings: ['list', 'detail', 'update'],
  tokenProfiles: [...kept, 'enable'],
  tokens: [...kept, 'activate', 'members'],
  triggers: kept,
  users: [...kept, 'enable'],
};
