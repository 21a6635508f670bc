// A role's permissions while they are being edited. Pure; each change returns a new draft.
import type { SubjectPermissionsDto } from '@signetry/contract';

/** The role's own rule for an action on one object. Without a rule, the permission on the resource applies. */
export type ObjectRight = 'allow' | 'deny';

export interface ObjectDraft {
  readonly name: string;
  readonly rights: ReadonlyMap<string, ObjectRight>;
}

export interface ResourceDraft {
  readonly allowAllActions: boolean;
  readonly actions: ReadonlySet<string>;
  /** Keyed by UUID; objects without a rule are omitted. */
  readonly objects: ReadonlyMap<string, ObjectDraft>;
}

export interface Draft {
  readonly allowAllResources: boolean;
  /** Keyed by name. */
  readonly resources: ReadonlyMap<string, ResourceDraft>;
}

/** Applies a change to the current draft. */
export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

export interface NamedObject {
  readonly uuid: string;
  readonly name: string;
}

const nothing: ResourceDraft = { allowAllActions: false, actions: new Set(), objects: new Map() };

export const resourceOf = (draft: Draft, resource: string): ResourceDraft => draft.resources.get(resource) ?? nothing;

/**
 * Returns a draft of the stored permissions. For each object, the platform also lists the actions that the resource
 * grants; those are not rules for the object and are dropped.
 */
export function draftOf({ allowAllResources, resources }: SubjectPermissionsDto): Draft {
  return {
    allowAllResources,
    resources: new Map(
      resources.map(({ name, allowAllActions, actions, objects }) => {
        const given = new Set(actions);
        const own = objects.map(({ uuid, name: object, allow, deny }): [string, ObjectDraft] => [
          uuid,
          {
            name: object,
            rights: new Map<string, ObjectRight>([
              ...allow
                .filter((action) => !allowAllActions && !given.has(action))
                .map((action): [string, ObjectRight] => [action, 'allow']),
              ...deny.map((action): [string, ObjectRight] => [action, 'deny']),
            ]),
          },
        ]);
        const objectsOf = new Map(own.filter(([, { rights }]) => rights.size > 0));
        return [name, { allowAllActions, actions: given, objects: objectsOf }];
      }),
    ),
  };
}

/** Level at which an action on a resource is allowed. */
export type Grant = 'allResources' | 'allActions' | 'own' | undefined;

export function grantOf(draft: Draft, resource: string, action: string): Grant {
  const { allowAllActions, actions } = resourceOf(draft, resource);
  if (draft.allowAllResources) return 'allResources';
  if (allowAllActions) return 'allActions';
  return actions.has(action) ? 'own' : undefined;
}

const withResource = (draft: Draft, resource: string, change: Partial<ResourceDraft>): Draft => ({
  ...draft,
  resources: new Map(draft.resources).set(resource, { ...resourceOf(draft, resource), ...change }),
});

export const withAllResources = (draft: Draft, allowAllResources: boolean): Draft => ({ ...draft, allowAllResources });

export const withAllActions = (draft: Draft, resource: string, allowAllActions: boolean): Draft =>
  withResource(draft, resource, { allowAllActions });

export function withActionToggled(draft: Draft, resource: string, action: string): Draft {
  const actions = new Set(resourceOf(draft, resource).actions);
  if (!actions.delete(action)) actions.add(action);
  return withResource(draft, resource, { actions });
}

export interface ObjectChange {
  readonly objects: readonly NamedObject[];
  readonly action: string;
  /** Undefined if the permission on the resource applies. */
  readonly right: ObjectRight | undefined;
}

export function withObjectRight(draft: Draft, resource: string, { objects, action, right }: ObjectChange): Draft {
  const all = new Map(resourceOf(draft, resource).objects);
  for (const { uuid, name } of objects) {
    const rights = new Map(all.get(uuid)?.rights);
    if (right === undefined) rights.delete(action);
    else rights.set(action, right);
    if (rights.size > 0) all.set(uuid, { name, rights });
    else all.delete(uuid);
  }
  return withResource(draft, resource, { objects: all });
}

/**
 * Returns the rule that applies to an object after its button is pressed. If the action is already granted more
 * broadly, "allow" is skipped.
 */
export function nextRight(right: ObjectRight | undefined, isGiven: boolean): ObjectRight | undefined {
  if (right === undefined) return isGiven ? 'deny' : 'allow';
  return right === 'allow' ? 'deny' : undefined;
}
