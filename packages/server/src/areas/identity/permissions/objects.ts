// Objects that permissions can be given on one by one. Their areas say how they are listed: those above this one too.
import type { NameAndUuidDto, Resource } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { ObjectNames } from '../../../platform/platform.ts';

export interface PermissionObjects {
  /** Can permissions on single objects of the resource be given? */
  has(resource: Resource): boolean;
  /** Objects of a resource by name, those with these identifiers or all. */
  find(executor: Executor, resource: Resource, uuids?: readonly string[]): Promise<NameAndUuidDto[]>;
}

/** `objectNames` is complete once every area was created. */
export const createPermissionObjects = (objectNames: () => ObjectNames): PermissionObjects => ({
  has: (resource) => objectNames()[resource] !== undefined,
  find: async (executor, resource, uuids) => (await objectNames()[resource]?.(executor, uuids)) ?? [],
});
