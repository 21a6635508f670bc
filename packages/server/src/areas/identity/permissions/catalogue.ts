// Names of resources and actions, as requests and rows give them, and the catalogue of both. Permissions that the
// contract does not list cannot be given, and rows that name others (written by a newer version) count for nothing.
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

/** The resource of a stored or sent name, or `undefined` when permissions are not given on such a thing. */
export const knownResource = (name: string): Resource | undefined =>
  permissionResources.find((resource) => resource === name);

export const knownAction = (resource: Resource, name: string): Action | undefined =>
  actionsOf(resource).find((action) => action === name);

/** The catalogue as the editor of permissions gets it. */
export const presentCatalogue = (hasListing: (resource: Resource) => boolean): AuthResourceDto[] =>
  permissionResources.map((resource) => ({
    uuid: fixedUuid(`resource ${resource}`),
    name: resource,
    displayName: Resource.labels[resource],
    objectAccess: resourceFlags(resource).hasObjectAccess,
    // Editors of permissions ask for objects only where this is named; others have names, but no rights one by one.
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
 * Clients address resources and actions by UUID. They are words, not rows, so their UUIDs are derived from the words
 * and are the same on every node (version 8, RFC 9562 §5.8).
 */
export function fixedUuid(word: string): string {
  const bytes = createHash('sha256').update(`signetry permission ${word}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
