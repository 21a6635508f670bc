// Groups inside of groups. A form must come to an end, whatever its connector answers: a group is refused inside of
// itself, and below a number of others. No I/O.
import type { BaseAttributeDto, GroupAttribute } from '@signetry/contract';

export interface NestedGroup {
  /** Names of the groups around it, the outermost first. */
  readonly path: readonly string[];
  readonly definition: GroupAttribute;
}

/** Groups around a field; real forms have two or three. */
const MAX_DEPTH = 10;

/** All groups among definitions, also those that stand in the content of others, with their paths. */
export function groupsIn(definitions: readonly BaseAttributeDto[], path: readonly string[] = []): NestedGroup[] {
  const groups = definitions.filter(({ type }) => type === 'group') as GroupAttribute[]; // by its type
  return groups.flatMap((definition) => [
    { path, definition },
    // What is deeper is refused; nothing is gained by looking there.
    ...(path.length > MAX_DEPTH ? [] : groupsIn(definition.content ?? [], [...path, definition.name])),
  ]);
}

/** Why the groups of an answer would never come to an end; `inForm` are those that the form has from the beginning. */
export function endlessGroups(
  groups: readonly NestedGroup[],
  { connector, inForm }: { readonly connector: string; readonly inForm: ReadonlySet<string> },
): string[] {
  const problems = groups.flatMap(({ path, definition: { name } }) => {
    const around = path.join(' > ');
    if (path.includes(name) || inForm.has(name))
      return `Connector ${connector} answers the group ${around} with the group ${name}, which is part of the form already; its fields would never come to an end.`;
    return path.length >= MAX_DEPTH
      ? `Connector ${connector} answers the group ${around} with the group ${name}, which is more than ${MAX_DEPTH} groups deep.`
      : [];
  });
  return [...new Set(problems)];
}
