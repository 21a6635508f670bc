// The roles and users that the platform brings along, and what they may do. Applied at every start, so that a new
// version can widen or narrow them; it changes nothing when they are as written here.
import type { Action, Resource } from '@signetry/contract';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PermissionRow } from '../permissions/permission-rows.ts';
import { rowsGranting } from '../permissions/rows-granting.ts';
import * as permissions from '../permissions/store.ts';
import { roles } from '../permissions/store-roles.ts';
import * as users from './store.ts';

/** The role of the first administrator. */
export const SUPERADMIN = 'superadmin';

/** Users that act for the platform: servers of protocols, and the local caller that sets up the first administrator. */
export type SystemUsername = 'acme' | 'scep' | 'cmp' | 'est' | 'localhost';

interface SystemRole {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly PermissionRow[];
  /** The role has a user of the same name. */
  readonly user?: { readonly description: string };
}

const everything: readonly PermissionRow[] = [{ resource: null, action: null }];

/** What every protocol server does: look up its profile and RA profile, then issue, renew and revoke under it. */
const protocolRights = {
  authorities: ['list', 'detail', 'members'],
  raProfiles: ['list', 'detail', 'members'],
  certificates: ['create', 'issue', 'detail', 'update', 'renew', 'revoke', 'list'],
  attributes: ['members'],
} as const satisfies Partial<Record<Resource, readonly Action[]>>;

const systemRoles: readonly SystemRole[] = [
  { name: SUPERADMIN, description: 'Everything, including what later versions add', permissions: everything },
  { name: 'admin', description: 'Everything', permissions: everything },
  {
    name: 'acme',
    description: 'What the ACME server may do',
    permissions: rowsGranting({ ...protocolRights, acmeProfiles: ['list', 'detail'], acmeAccounts: 'all' }),
    user: { description: 'The ACME server' },
  },
  {
    name: 'scep',
    description: 'What the SCEP server may do',
    permissions: rowsGranting({ ...protocolRights, scepProfiles: ['list', 'detail'] }),
    user: { description: 'The SCEP server' },
  },
  {
    name: 'cmp',
    description: 'What the CMP server may do',
    permissions: rowsGranting({ ...protocolRights, cmpProfiles: ['list', 'detail'] }),
    user: { description: 'The CMP server' },
  },
  {
    name: 'est',
    description: 'What the EST server may do',
    permissions: rowsGranting(protocolRights),
    user: { description: 'The EST server' },
  },
  {
    name: 'localhost',
    description: 'What a local caller may do to set up the first administrator',
    permissions: rowsGranting({
      certificates: ['detail', 'create'],
      raProfiles: ['members'],
      users: ['create', 'update'],
      settings: ['list', 'detail', 'update'],
    }),
    user: { description: 'A local caller before there is an administrator' },
  },
];

export async function seedSystemAccounts({ database, clock }: Platform): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    for (const { name, description, permissions: granted, user } of systemRoles) {
      const times = { created_at: now, updated_at: now };
      await roles.insertMissing(tx, { uuid: newUuid(), name, description, email: null, is_system: true, ...times });
      const role = await roles.findByName(tx, name);
      if (!role?.is_system) throw new Error(`The role ${name} exists already and is not the platform's own.`);
      await permissions.replaceOfRole(tx, role.uuid, granted);
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
      if (!row?.is_system) throw new Error(`The user ${name} exists already and is not the platform's own.`);
      await users.addRoles(tx, [{ userUuid: row.uuid, roleUuid: role.uuid }]);
    }
  });
}
