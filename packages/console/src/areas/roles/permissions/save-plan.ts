// The requests needed to save a draft: usually one, even for a role with permissions on thousands of objects. Pure.
import type {
  ObjectPermissionsRequestDto,
  ResourcePermissionsRequestDto,
  RolePermissionsRequestDto,
} from '@signetry/contract';
import { resourceOf, type Draft, type ObjectDraft, type ResourceDraft } from './draft.ts';

/** Maximum number of objects per request; the platform rejects bodies larger than 1 MiB. */
export const MAX_OBJECTS = 1_500;

export interface ObjectsOfResource {
  readonly resource: string;
  readonly objects: readonly ObjectPermissionsRequestDto[];
}

export interface SavePlan {
  /** Replaces permissions on resources and, for resources that include them, permissions on their objects. */
  readonly whole: RolePermissionsRequestDto | undefined;
  /** Replaces permissions on these objects only. Sent after `whole`, one request at a time. */
  readonly objects: readonly ObjectsOfResource[];
}

export function savePlanOf(before: Draft, after: Draft): SavePlan {
  const names = [...new Set([...before.resources.keys(), ...after.resources.keys()])];
  const touched = new Map(
    names.map((name) => [name, objectsToSend(resourceOf(before, name), resourceOf(after, name))]),
  );
  const isWhole =
    before.allowAllResources !== after.allowAllResources ||
    names.some((name) => !hasSameRights(resourceOf(before, name), resourceOf(after, name)));
  const total = names.reduce(
    (sum, name) => sum + (touched.get(name)?.length ? resourceOf(after, name).objects.size : 0),
    0,
  );
  const isOneCall = isWhole && total <= MAX_OBJECTS;
  const objects = isOneCall
    ? []
    : [...touched].flatMap(([name, uuids]) => batchesOf(name, uuids, resourceOf(after, name)));
  if (!isWhole) return { whole: undefined, objects };
  const resources = names.flatMap((name): ResourcePermissionsRequestDto[] => {
    const { allowAllActions, actions, objects: own } = resourceOf(after, name);
    const named = isOneCall && touched.get(name)?.length ? { objects: [...own].map(requestOf) } : {};
    if (!allowAllActions && actions.size === 0 && !('objects' in named)) return [];
    return [{ name, allowAllActions, actions: [...actions], ...named }];
  });
  return { whole: { allowAllResources: after.allowAllResources, resources }, objects };
}

/** Returns the number of changes. Each switch, action and object counts as one. */
export function changesBetween(before: Draft, after: Draft): number {
  const names = new Set([...before.resources.keys(), ...after.resources.keys()]);
  let changes = before.allowAllResources === after.allowAllResources ? 0 : 1;
  for (const name of names) {
    const [one, other] = [resourceOf(before, name), resourceOf(after, name)];
    if (one === other) continue;
    changes += one.allowAllActions === other.allowAllActions ? 0 : 1;
    changes += one.actions.symmetricDifference(other.actions).size;
    changes += changedObjects(one, other).length;
  }
  return changes;
}

const hasSameRights = (one: ResourceDraft, other: ResourceDraft): boolean =>
  one.allowAllActions === other.allowAllActions && one.actions.symmetricDifference(other.actions).size === 0;

/**
 * Returns the objects to send. If a permission on the resource is removed, all of its objects are sent, because the
 * platform may have stored the same permission on an object, where it was hidden while the resource granted it.
 */
function objectsToSend(before: ResourceDraft, after: ResourceDraft): readonly string[] {
  const isLost =
    (before.allowAllActions && !after.allowAllActions) || before.actions.difference(after.actions).size > 0;
  return isLost ? [...new Set([...before.objects.keys(), ...after.objects.keys()])] : changedObjects(before, after);
}

function changedObjects({ objects: before }: ResourceDraft, { objects: after }: ResourceDraft): readonly string[] {
  if (before === after) return [];
  const isChanged = (uuid: string): boolean => {
    const [one, other] = [before.get(uuid), after.get(uuid)];
    if (one === other) return false;
    if (one?.rights.size !== other?.rights.size) return true;
    return [...(one?.rights ?? [])].some(([action, right]) => other?.rights.get(action) !== right);
  };
  return [...new Set([...before.keys(), ...after.keys()])].filter(isChanged);
}

/** Objects that no longer have rules are sent without permissions, which removes them. */
function batchesOf(
  resource: string,
  uuids: readonly string[],
  { objects }: ResourceDraft,
): readonly ObjectsOfResource[] {
  const pieces = Math.ceil(uuids.length / MAX_OBJECTS);
  return Array.from({ length: pieces }, (_, place) => ({
    resource,
    objects: uuids
      .slice(place * MAX_OBJECTS, (place + 1) * MAX_OBJECTS)
      .map((uuid) => requestOf([uuid, objects.get(uuid) ?? { name: '', rights: new Map() }])),
  }));
}

function requestOf([uuid, { name, rights }]: readonly [string, ObjectDraft]): ObjectPermissionsRequestDto {
  const actionsWith = (wanted: string) => [...rights].flatMap(([action, right]) => (right === wanted ? [action] : []));
  return { uuid, name, allow: actionsWith('allow'), deny: actionsWith('deny') };
}
