// Groups of certificates, keys and users. Owns: object_group, group_membership. Invariants: names are unique; deleting
// a group removes only its memberships.
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { groupRoutes } from './routes.ts';
import { createGroupService } from './service.ts';
import { groups } from './store.ts';
import { notFound } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { NamedRow } from '../../platform/objects/named-objects.ts';

export { findMembers, findMemberships, replaceMemberships, replaceMembershipsOfMany } from './store.ts';
export { presentGroup } from './present.ts';
export { isVisibleObject } from './store-visible.ts';

/** Returns those of the groups that exist, sorted by name. */
export const findGroups = groups.findMany;
export const findGroupNames = groups.findNames;

/** Returns the groups, sorted by name; throws 404 if one does not exist. */
export async function requireGroups(executor: Executor, uuids: readonly string[]): Promise<readonly NamedRow[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  const found = await groups.findMany(executor, wanted.filter(isUuid));
  const missing = wanted.find((uuid) => !found.some((group) => group.uuid === uuid));
  if (missing !== undefined) throw notFound(groups.what, missing);
  return found;
}

export function createGroupsArea(
  platform: Platform,
  areas: { readonly audit: AuditTrail; readonly attributes: AttributeEngine },
): Area {
  return {
    routes: groupRoutes(createGroupService(platform, areas)),
    objectNames: { groups: groups.findNames },
  };
}
