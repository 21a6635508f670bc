// Objects on which permissions can be granted individually. Their areas define how they are listed, including areas in
// higher tiers.
import type { NameAndUuidDto, Resource } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { ObjectNames } from '../../../platform/platform.ts';

export interface PermissionObjects {
  /** Returns whether permissions can be granted on individual objects of the resource. */
  has(resource: Resource): boolean;
  /** Returns objects of a resource, sorted by name: those with these UUIDs, or all. */
  find(executor: Executor, resource: Resource, uuids?: readonly string[]): Promise<NameAndUuidDto[]>;
}

/** `objectNames` is complete only after all areas have been created. */
export const createPermissionObjects = (objectNames: () => ObjectNames): PermissionObjects => ({
  has: (resource) => objectNames()[resource] !== undefined,
  find: async (executor, resource, uuids) => (await objectNames()[resource]?.(executor, uuids)) ?? [],
});
