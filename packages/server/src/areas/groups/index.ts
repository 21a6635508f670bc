// Groups of certificates, keys and users. Owns: object_group, group_membership. Invariants: names are unique; deleting
// a group removes only its memberships.
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { groupRoutes } from './routes.ts';
import { createGroupService } from './service.ts';
import { groups } from './store.ts';

export { findMembers, findMemberships, replaceMemberships, replaceMembershipsOfMany } from './store.ts';
export { presentGroup } from './present.ts';
export { requireGroups } from './require-groups.ts';
export { isVisibleObject } from './store-visible.ts';

/** Returns those of the groups that exist, sorted by name. */
export const findGroups = groups.findMany;
export const findGroupNames = groups.findNames;

export function createGroupsArea(
  platform: Platform,
  areas: { readonly audit: AuditTrail; readonly attributes: AttributeEngine },
): Area {
  return {
    routes: groupRoutes(createGroupService(platform, areas)),
    objectNames: { groups: groups.findNames },
  };
}
