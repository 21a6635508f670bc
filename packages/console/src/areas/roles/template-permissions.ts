// Permissions for a role created from a template. Pure.
import type { RolePermissionsRequestDto, RoleTemplateDto } from '@signetry/contract';

/** Objects selected for the template's choices, by resource. */
export type ChosenObjects = Readonly<Record<string, readonly { readonly uuid: string; readonly name: string }[]>>;

export function permissionsFrom(
  { permissions: { allowAllResources, resources }, choices }: RoleTemplateDto,
  chosen: ChosenObjects,
): RolePermissionsRequestDto {
  const asked = choices.map(({ resource, allow }) => ({
    resource,
    objects: (chosen[resource] ?? []).map((object) => ({ ...object, allow: [...allow], deny: [] })),
  }));
  const known = new Set(resources.map(({ name }) => name));
  return {
    allowAllResources,
    resources: [
      ...resources.map((given) => {
        const objects = asked.find(({ resource }) => resource === given.name)?.objects ?? [];
        return { ...given, objects: [...given.objects, ...objects] };
      }),
      ...asked
        .filter(({ resource }) => !known.has(resource))
        .map(({ resource, objects }) => ({ name: resource, allowAllActions: false, actions: [], objects })),
    ].map(({ objects, ...given }) => (objects.length > 0 ? { ...given, objects } : given)),
  };
}
