// What somebody may do, arranged to be read: by resource, and by the roles that allow it. Pure.
import type { EffectivePermissionsDto, EffectiveResourceDto, SubjectPermissionsDto } from '@signetry/contract';
import { wordsOfActionName, wordsOfResource } from '../../../format/resources.ts';

/** Actions that the same roles allow. */
export interface GrantedActions {
  readonly actions: readonly string[];
  /** Names of the roles; empty where only one could be meant. */
  readonly from: readonly string[];
}

function actionsByRoles({ actions }: EffectiveResourceDto): readonly GrantedActions[] {
  const rolesOf = (from: EffectiveResourceDto['actions'][number]['from']) =>
    from.map(({ role }) => role.name).toSorted();
  const groups = Map.groupBy(actions, ({ from }) => JSON.stringify(rolesOf(from)));
  return [...groups.values()].map((group) => ({
    actions: group.map(({ name }) => wordsOfActionName(name)),
    from: rolesOf(group[0]?.from ?? []),
  }));
}

/** One line for each object whose rights differ from those on its resource. */
function rulesOf({ actions, objects }: EffectiveResourceDto): readonly string[] {
  const given = new Set<string>(actions.map(({ name }) => name));
  return objects.flatMap(({ name, allow, deny }) => {
    const also = allow.filter((action) => !given.has(action)).map(wordsOfActionName);
    const words = [
      ...(also.length > 0 ? [`allowed ${also.join(', ')}`] : []),
      ...(deny.length > 0 ? [`denied ${deny.map(wordsOfActionName).join(', ')}`] : []),
    ];
    return words.length > 0 ? [`${name}: ${words.join('; ')}`] : [];
  });
}

/** A resource as it is read and searched. */
export interface ToldResource {
  readonly resource: EffectiveResourceDto;
  readonly granted: readonly GrantedActions[];
  readonly rules: readonly string[];
  /** What is searched, in lower case: the resource with its actions and roles, and each rule. */
  readonly heading: string;
  readonly searchedRules: readonly string[];
}

export function toldOf(resource: EffectiveResourceDto): ToldResource {
  const granted = resource.allowAllActions ? [allActions(resource)] : actionsByRoles(resource);
  const rules = rulesOf(resource);
  const words = actionsByRoles(resource).flatMap(({ actions, from }) => [...actions, ...from]);
  return {
    resource,
    granted,
    rules,
    heading: [resource.name, wordsOfResource(resource.name), ...words].join('\n').toLowerCase(),
    searchedRules: rules.map((rule) => rule.toLowerCase()),
  };
}

/**
 * Resources that contain the text, which is in lower case. Where only rules on objects contain it, these alone are left
 * of the resource's rules: of ten thousand, the one that was meant stands in sight.
 */
export function searchedFor(all: readonly ToldResource[], text: string): readonly ToldResource[] {
  return all.flatMap((told) => {
    if (told.heading.includes(text)) return [told];
    const rules = told.rules.filter((_rule, place) => told.searchedRules[place]?.includes(text));
    return rules.length === 0 ? [] : [{ ...told, rules }];
  });
}

/** Told once; the roles are those that give all of them. */
const allActions = ({ actions }: EffectiveResourceDto): GrantedActions => ({
  actions: ['All actions'],
  from: [
    ...new Set(
      actions.flatMap(({ from }) => from.filter(({ level }) => level !== 'action').map(({ role }) => role.name)),
    ),
  ],
});

/** One's own permissions come without the roles that they are from. */
export const withoutRoles = (
  { allowAllResources, resources }: SubjectPermissionsDto,
  allowedListings: EffectivePermissionsDto['allowedListings'],
): EffectivePermissionsDto => ({
  allowAllResources,
  resources: resources.map(({ name, allowAllActions, actions, objects }) => ({
    // Resources and actions of the platform that answered, which are those of the contract.
    name: name as EffectiveResourceDto['name'],
    allowAllActions,
    actions: actions.map((action) => ({ name: action as EffectiveResourceDto['actions'][number]['name'], from: [] })),
    objects,
  })),
  allowedListings,
});
