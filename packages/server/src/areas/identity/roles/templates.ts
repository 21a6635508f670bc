// Ready-made roles, in words and as permissions. They are offered, never created by the platform itself.
import type { Action, Resource, RoleTemplateDto } from '@signetry/contract';
import { mergePermissions, presentPermissions } from '../permissions/permission-rows.ts';
import { rowsGranting } from '../permissions/rows-granting.ts';

type Granted = Partial<Record<Resource, readonly Action[]>>;

const look = ['list', 'detail'] as const satisfies readonly Action[];
/** Certificates are seen by members of their RA profile, keys by members of their token. */
const belong = [...look, 'members'] as const satisfies readonly Action[];

/** Everything that work with certificates touches; not people, settings and records. */
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
} as const satisfies Granted;

interface Template extends Omit<RoleTemplateDto, 'permissions'> {
  readonly granted: Granted;
}

const templates: readonly Template[] = [
  {
    name: 'Reader',
    description:
      'Sees all certificates and keys and how they are managed: authorities, profiles, connectors, groups. Changes nothing, and sees neither users nor settings nor the audit log.',
    granted: seen,
    choices: [],
  },
  {
    name: 'RA profile operator',
    description:
      'Requests, issues, renews and revokes certificates of the RA profiles that are chosen for the role, and sees no others.',
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
      'Sees everything, users, roles, settings and approvals included; reads, verifies and exports the audit log. Changes nothing.',
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
    description: 'Sees and decides on approvals, and sees the certificates and profiles that they are about.',
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
    permissions: presentPermissions(mergePermissions(rowsGranting(granted))),
  }));
