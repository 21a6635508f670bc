// Predefined roles, with descriptions and permissions. The platform offers them as templates and never creates them
// itself.
import type { Action, Resource, RoleTemplateDto } from '@signetry/contract';
import { mergePermissions, presentPermissions } from '../permissions/permission-rows.ts';
import { toPermissionRows } from '../permissions/to-permission-rows.ts';

type GrantedActions = Partial<Record<Resource, readonly Action[]>>;

const look = ['list', 'detail'] as const satisfies readonly Action[];
/** Certificates are visible to members of their RA profile, keys to members of their token. */
const belong = [...look, 'members'] as const satisfies readonly Action[];

/** Everything that certificate management involves, but no users, settings or audit records. */
const seen = {
  credentials: look,
  connectors: look,
  attributes: belong,
  acmeAccounts: look,
  acmeProfiles: look,
  scepProfiles: look,
  cmpProfiles: look,
  authorities: look,
  raProfiles: belong,
  certificates: look,
  groups: look,
  complianceProfiles: look,
  discoveries: look,
  oids: look,
  entities: look,
  locations: look,
  tokenProfiles: look,
  tokens: belong,
  keys: look,
} as const satisfies GrantedActions;

interface Template extends Omit<RoleTemplateDto, 'permissions'> {
  readonly granted: GrantedActions;
}

const templates: readonly Template[] = [
  {
    name: 'Reader',
    description:
      'Can view all certificates and keys and how they are managed: authorities, profiles, connectors, groups. Cannot change anything, and cannot view users, settings or the audit log.',
    granted: seen,
    choices: [],
  },
  {
    name: 'RA profile operator',
    description:
      'Can request, issue, renew and revoke certificates under the RA profiles that are selected for the role. Cannot view any others.',
    granted: {
      certificates: [...look, 'create', 'update', 'issue', 'renew', 'revoke'],
      authorities: look,
      groups: look,
      attributes: ['members'],
    },
    choices: [{ resource: 'raProfiles', allow: [...belong] }],
  },
  {
    name: 'Auditor',
    description:
      'Can view everything, including users, roles, settings and approvals. Can view, verify and export the audit log. Cannot change anything.',
    granted: {
      ...seen,
      settings: look,
      auditLogs: ['list', 'export'],
      jobs: look,
      users: look,
      roles: look,
      approvalProfiles: look,
      approvals: ['list'],
      notificationProfiles: look,
      notificationInstances: look,
      rules: look,
      actions: look,
      triggers: look,
    },
    choices: [],
  },
  {
    name: 'Approver',
    description: 'Can view and decide approvals, and view the certificates and profiles that they concern.',
    granted: {
      approvals: ['list', 'approve'],
      approvalProfiles: look,
      certificates: look,
      raProfiles: belong,
      authorities: look,
      groups: look,
    },
    choices: [],
  },
];

export const roleTemplates = (): RoleTemplateDto[] =>
  templates.map(({ granted, ...described }) => ({
    ...described,
    permissions: presentPermissions(mergePermissions(toPermissionRows(granted))),
  }));
