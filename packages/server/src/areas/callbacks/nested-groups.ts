// Nested groups. A form must be finite regardless of what its connector returns: a group is rejected inside itself and
// beyond a maximum depth. No I/O.
import type { BaseAttributeDto, GroupAttribute } from '@signetry/contract';

export interface NestedGroup {
  /** Names of the enclosing groups, outermost first. */
  readonly path: readonly string[];
  readonly definition: GroupAttribute;
}

/** Maximum number of groups around a field; real forms have two or three. */
const MAX_DEPTH = 10;

/** Returns all groups among definitions, including nested ones, with their paths. */
export function groupsIn(definitions: readonly BaseAttributeDto[], path: readonly string[] = []): NestedGroup[] {
  const groups = definitions.filter(({ type }) => type === 'group') as GroupAttribute[]; // Filtered by type.
  return groups.flatMap((definition) => [
    { path, definition },
    // Deeper groups are rejected, so there is no need to search them.
    ...(path.length > MAX_DEPTH ? [] : groupsIn(definition.content ?? [], [...path, definition.name])),
  ]);
}

/**
 * Returns the reason why the groups in a response would make the form endless. `inForm` contains the groups that the
 * form already has.
 */
export function endlessGroupProblems(
  groups: readonly NestedGroup[],
  { connector, inForm }: { readonly connector: string; readonly inForm: ReadonlySet<string> },
): string[] {
  const problems = groups.flatMap(({ path, definition: { name } }) => {
    const around = path.join(' > ');
    if (path.includes(name) || inForm.has(name))
      return `Connector ${connector} returned group ${name} in group ${around}, but the form already contains it; the form would be endless.`;
    return path.length >= MAX_DEPTH
      ? `Connector ${connector} returned group ${name} in group ${around}, which exceeds the maximum depth of ${MAX_DEPTH} groups.`
      : [];
  });
  return [...new Set(problems)];
}
