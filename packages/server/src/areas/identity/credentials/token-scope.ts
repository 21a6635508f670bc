// Access token scopes: either a role, whose permissions are evaluated when the token is used, or permissions that were
// fixed when the token was created.
import type { AccessTokenScope, AccessTokenScopeRequest } from '@signetry/contract';
import type { PermissionSet, RequestContext } from '../../../kernel/actor.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { describePermissions } from '../permissions/describe.ts';
import { mergePermissions } from '../permissions/permission-rows.ts';
import type { PermissionObjects } from '../permissions/objects.ts';
import { readPermissions } from '../permissions/read-request.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import * as permissions from '../permissions/store.ts';
import { roles } from '../permissions/store-roles.ts';
import type { TokenScope } from '../tables.ts';
import * as users from '../users/store.ts';

export type TokenScopes = ReturnType<typeof createTokenScopes>;

export function createTokenScopes({ database, clock }: Platform, { objects }: { readonly objects: PermissionObjects }) {
  /** A deleted role grants no permissions. */
  const ofRoles = createExpiringCache({
    clock,
    load: async (roleUuid: string) => {
      const { rows, objectRows } = await permissions.findByRole(database.executor, roleUuid);
      return mergePermissions(rows, objectRows);
    },
  });

  const permissionsOf = (scope: TokenScope): Promise<PermissionSet> | PermissionSet =>
    'roleUuid' in scope ? ofRoles.get(scope.roleUuid) : mergePermissions(scope.rows, scope.objectRows);

  /** Reads the scope in a request. Callers can specify their own roles, and other roles that they can see. */
  async function read(
    tx: Executor,
    { roleUuid, permissions: request }: AccessTokenScopeRequest,
    context: RequestContext,
  ): Promise<TokenScope> {
    if (roleUuid === undefined) {
      const { rows, objects: ofObjects } = readPermissions(request ?? { allowAllResources: false }, objects);
      return { rows, objectRows: ofObjects.flatMap((each) => each.rows) };
    }
    const own = context.actor.userUuid === null ? [] : await users.rolesOf(tx, context.actor.userUuid);
    if (!own.some(({ uuid }) => uuid === roleUuid.toLowerCase()))
      requirePermission(context, { resource: 'roles', action: 'detail', objects: [roleUuid] });
    const { uuid } = await roles.require(tx, roleUuid);
    return { roleUuid: uuid };
  }

  async function describe(scope: TokenScope): Promise<AccessTokenScope> {
    if (!('roleUuid' in scope))
      return { permissions: await describePermissions(database.executor, await permissionsOf(scope), { objects }) };
    const role = await roles.findOne(database.executor, scope.roleUuid);
    return { role: { uuid: scope.roleUuid, name: role?.name ?? GONE } };
  }

  return { permissionsOf, read, describe, forget: () => ofRoles.invalidate() };
}

/** Name displayed for a deleted role; tokens limited to it have no permissions. */
const GONE = '(deleted)';
