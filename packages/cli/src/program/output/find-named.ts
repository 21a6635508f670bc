// An object by what people call it: its name, else its UUID.
import { CliFailure } from '../failures.ts';

interface Named {
  readonly uuid: string;
  readonly name: string;
}

export function findNamed<Item extends Named>(
  items: readonly Item[],
  given: string,
  { what, list }: { readonly what: string; readonly list: string },
): Item {
  const found = items.find(({ name }) => name === given) ?? items.find(({ uuid }) => uuid === given.toLowerCase());
  if (found) return found;
  throw new CliFailure(`There is no ${what} ${given}, or you may not see it.`, { help: [`\`${list}\` shows them.`] });
}
