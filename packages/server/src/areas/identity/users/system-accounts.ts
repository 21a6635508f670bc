// Built-in roles and users with their permissions. Applied at every start, so that a new version can extend or restrict
// them; if they are up to date, nothing changes.
import type { Action, Resource } from '@signetry/contract';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PermissionRow } from '../permissions/permission-rows.ts';
import { toPermissionRows } from '../permissions/to-permission-rows.ts';
import * as permissions from '../permissions/store.ts';
import { roles } from '../permissions/store-roles.ts';
import * as users from './store.ts';

/** Role of the first administrator. */
export const SUPERADMIN = 'superadmin';

/**
 * Users that act on behalf of the platform: protocol servers, and the local caller that sets up the first
 * administrator.
 */
export type SystemUsername = 'acme' | 'scep' | 'cmp' | 'est' | 'localhost';

interface SystemRole {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly PermissionRow[];
  /** If present, the role has a user of the same name. */
  readonly user?: { readonly description: string };
}

const everything: readonly PermissionRow[] = [{ resource: null, action: null }];

/** Permissions of every protocol server: look up its profile and RA profile, then issue, renew and revoke under it. */
const protocolRights = {
  authorities: ['list', 'detail', 'members'],
  raProfiles: ['list', 'detail', 'members'],
  certificates: ['create', 'issue', 'detail', 'update', 'renew', 'revoke', 'list'],
  attributes: ['members'],
} as const satisfies Partial<Record<Resource, readonly Action[]>>;

const systemRoles: readonly SystemRole[] = [
  {
    name: SUPERADMIN,
    description: 'All permissions, including those added by later versions',
    permissions: everything,
  },
  { name: 'admin', description: 'Everything', permissions: everything },
  {
    name: 'acme',
    description: 'Permissions of the ACME server',
    permissions: toPermissionRows({ ...protocolRights, acmeProfiles: ['list', 'detail'], acmeAccounts: 'all' }),
    user: { description: 'ACME server' },
  },
  {
    name: 'scep',
    description: 'Permissions of the SCEP server',
    permissions: toPermissionRows({ ...protocolRights, scepProfiles: ['list', 'detail'] }),
    user: { description: 'SCEP server' },
  },
  {
    name: 'cmp',
    description: 'Permissions of the CMP server',
    permissions: toPermissionRows({ ...protocolRights, cmpProfiles: ['list', 'detail'] }),
    user: { description: 'CMP server' },
  },
  {
    name: 'est',
    description: 'Permissions of the EST server',
    permissions: toPermissionRows(protocolRights),
    user: { description: 'EST server' },
  },
  {
    name: 'localhost',
    description: 'Permissions of a local caller to set up the first administrator',
    permissions: toPermissionRows({
      certificates: ['detail', 'create'],
      raProfiles: ['members'],
      users: ['create', 'update'],
      settings: ['list', 'detail', 'update'],
    }),
    user: { description: 'Local caller before the first administrator exists' },
  },
];

export async function seedSystemAccounts({ database, clock }: Platform): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    for (const { name, description, permissions: granted, user } of systemRoles) {
      const times = { created_at: now, updated_at: now };
      await roles.insertMissing(tx, { uuid: newUuid(), name, description, email: null, is_system: true, ...times });
      const role = await roles.findByName(tx, name);
      if (!role?.is_system) throw new Error(`Role ${name} already exists and is not a system role.`);
      await permissions.replaceForRole(tx, role.uuid, granted);
      if (!user) continue;
      await users.insertMissing(tx, {
        uuid: newUuid(),
        username: name,
        first_name: null,
        last_name: null,
        email: null,
        description: user.description,
        enabled: true,
        is_system: true,
        certificate_uuid: null,
        certificate_fingerprint: null,
        ...times,
      });
      const row = await users.findByUsername(tx, name);
      if (!row?.is_system) throw new Error(`User ${name} already exists and is not a system user.`);
      await users.addRoles(tx, [{ userUuid: row.uuid, roleUuid: role.uuid }]);
    }
  });
}
