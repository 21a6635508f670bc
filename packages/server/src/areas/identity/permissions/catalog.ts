// Names of resources and actions, as used in requests and rows, and the catalog of both. Permissions that the contract
// does not list cannot be granted, and rows with unknown names (written by a newer version) are ignored.
import { createHash } from 'node:crypto';
import {
  actionsOf,
  authOperations,
  permissionResources,
  Resource,
  ResourceAction,
  resourceFlags,
  type Action,
  type AuthResourceDto,
} from '@signetry/contract';

/** Returns the resource with a stored or received name, or `undefined` if permissions cannot be granted on it. */
export const knownResource = (name: string): Resource | undefined =>
  permissionResources.find((resource) => resource === name);

export const knownAction = (resource: Resource, name: string): Action | undefined =>
  actionsOf(resource).find((action) => action === name);

/** Returns the catalog for the permission editor. */
export const presentCatalog = (hasListing: (resource: Resource) => boolean): AuthResourceDto[] =>
  permissionResources.map((resource) => ({
    uuid: fixedUuid(`resource ${resource}`),
    name: resource,
    displayName: Resource.labels[resource],
    objectAccess: resourceFlags(resource).hasObjectAccess,
    // Permission editors request objects only if this is true. Objects of other resources have names, but permissions
    // on them cannot be granted individually.
    ...(resourceFlags(resource).hasObjectAccess && hasListing(resource)
      ? { listObjectsEndpoint: objectsPath(resource) }
      : {}),
    actions: actionsOf(resource).map((action) => ({
      uuid: fixedUuid(`action ${action}`),
      name: action,
      displayName: ResourceAction.labels[action],
    })),
  }));

const objectsPath = (resource: Resource): string =>
  authOperations.getObjectsForResource.path.replace('{resourceName}', resource);

/**
 * Returns the UUID by which clients identify a resource or action. It is derived from the name, because there is no
 * row, and is the same on every node (version 8, RFC 9562 §5.8).
 */
export function fixedUuid(word: string): string {
  const bytes = createHash('sha256').update(`signetry permission ${word}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
