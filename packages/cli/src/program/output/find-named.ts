// Finds an object by name, or else by UUID.
import { CliFailure } from '../failures.ts';

interface NamedObject {
  readonly uuid: string;
  readonly name: string;
}

export function findNamed<Item extends NamedObject>(
  items: readonly Item[],
  given: string,
  { what, list }: { readonly what: string; readonly list?: string },
): Item {
  const found = items.find(({ name }) => name === given) ?? items.find(({ uuid }) => uuid === given.toLowerCase());
  if (found) return found;
  throw new CliFailure(`Cannot find ${what} "${given}": it does not exist, or is not visible to you.`, {
    help: [
      list === undefined
        ? `Available: ${items.map(({ name }) => name).join(', ') || 'none'}.`
        : `\`${list}\` shows the available names.`,
    ],
  });
}
