// Objects on which permissions can be granted individually. Each area, including areas in higher tiers, defines how its
// own objects are listed.
import type { NameAndUuidDto, Resource } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { ObjectNames } from '../../../platform/platform.ts';

export interface PermissionObjects {
  /** Returns whether permissions can be granted on individual objects of the resource. */
  has(resource: Resource): boolean;
  /** Returns a resource's objects, sorted by name: the objects with these UUIDs, or all objects. */
  find(executor: Executor, resource: Resource, uuids?: readonly string[]): Promise<NameAndUuidDto[]>;
}

/** `objectNames` is complete only after all areas have been created. */
export const createPermissionObjects = (objectNames: () => ObjectNames): PermissionObjects => ({
  has: (resource) => objectNames()[resource] !== undefined,
  find: async (executor, resource, uuids) => (await objectNames()[resource]?.(executor, uuids)) ?? [],
});
