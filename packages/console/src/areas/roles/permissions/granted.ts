// Effective permissions arranged for display: by resource, and by the roles that grant them. Pure.
import type { EffectivePermissionsDto, EffectiveResourceDto, SubjectPermissionsDto } from '@signetry/contract';
import { describeAction, describeResource } from '../../../format/resources.ts';

/** Actions that are granted by the same roles. */
export interface GrantedActions {
  readonly actions: readonly string[];
  /** Names of the roles; empty if there can be only one role. */
  readonly from: readonly string[];
}

function actionsByRoles({ actions }: EffectiveResourceDto): readonly GrantedActions[] {
  const rolesOf = (from: EffectiveResourceDto['actions'][number]['from']) =>
    from.map(({ role }) => role.name).toSorted();
  const groups = Map.groupBy(actions, ({ from }) => JSON.stringify(rolesOf(from)));
  return [...groups.values()].map((group) => ({
    actions: group.map(({ name }) => describeAction(name)),
    from: rolesOf(group[0]?.from ?? []),
  }));
}

/** Returns one line for each object whose permissions differ from those on its resource. */
function rulesOf({ actions, objects }: EffectiveResourceDto): readonly string[] {
  const given = new Set<string>(actions.map(({ name }) => name));
  return objects.flatMap(({ name, allow, deny }) => {
    const also = allow.filter((action) => !given.has(action)).map(describeAction);
    const words = [
      ...(also.length > 0 ? [`allowed ${also.join(', ')}`] : []),
      ...(deny.length > 0 ? [`denied ${deny.map(describeAction).join(', ')}`] : []),
    ];
    return words.length > 0 ? [`${name}: ${words.join('; ')}`] : [];
  });
}

/** A resource, prepared for display and search. */
export interface ListedResource {
  readonly resource: EffectiveResourceDto;
  readonly granted: readonly GrantedActions[];
  readonly rules: readonly string[];
  /** Searchable text, in lowercase: the resource with its actions and roles, then each rule. */
  readonly heading: string;
  readonly searchedRules: readonly string[];
}

export function toListedResource(resource: EffectiveResourceDto): ListedResource {
  const granted = resource.allowAllActions ? [allActions(resource)] : actionsByRoles(resource);
  const rules = rulesOf(resource);
  const words = actionsByRoles(resource).flatMap(({ actions, from }) => [...actions, ...from]);
  return {
    resource,
    granted,
    rules,
    heading: [resource.name, describeResource(resource.name), ...words].join('\n').toLowerCase(),
    searchedRules: rules.map((rule) => rule.toLowerCase()),
  };
}

/**
 * Returns the resources that contain the lowercase text. If only rules on objects match, the resource is reduced to
 * those rules, so that one match among ten thousand stays visible.
 */
export function filterResources(all: readonly ListedResource[], text: string): readonly ListedResource[] {
  return all.flatMap((told) => {
    if (told.heading.includes(text)) return [told];
    const rules = told.rules.filter((_rule, place) => told.searchedRules[place]?.includes(text));
    return rules.length === 0 ? [] : [{ ...told, rules }];
  });
}

/** A single entry that contains the roles that grant all actions. */
const allActions = ({ actions }: EffectiveResourceDto): GrantedActions => ({
  actions: ['All actions'],
  from: [
    ...new Set(
      actions.flatMap(({ from }) => from.filter(({ level }) => level !== 'action').map(({ role }) => role.name)),
    ),
  ],
});

/** Converts the user's own permissions, which do not include the roles that grant them. */
export const withoutRoles = (
  { allowAllResources, resources }: SubjectPermissionsDto,
  allowedListings: EffectivePermissionsDto['allowedListings'],
): EffectivePermissionsDto => ({
  allowAllResources,
  resources: resources.map(({ name, allowAllActions, actions, objects }) => ({
    // The platform returns only resources and actions that the contract defines, hence the casts.
    name: name as EffectiveResourceDto['name'],
    allowAllActions,
    actions: actions.map((action) => ({ name: action as EffectiveResourceDto['actions'][number]['name'], from: [] })),
    objects,
  })),
  allowedListings,
});
