// The data and the signatures of one call to verify, brought together.
import { rejected } from '../connector-error.ts';

interface Item {
  readonly data: string;
  readonly identifier?: string | undefined;
}

export interface PairedItem {
  readonly data: string;
  readonly signature: string;
  readonly identifier?: string | undefined;
}

/** By identifier where every item has one of its own, in order otherwise. Refuses (422) when they do not fit. */
export function pairSignatures(data: readonly Item[], signatures: readonly Item[]): PairedItem[] {
  if (data.length !== signatures.length)
    throw rejected(`There are ${data.length} data and ${signatures.length} signatures; each needs the other.`);
  const named = byIdentifier(signatures);
  // There are as many as data.
  if (!named || !byIdentifier(data)) return data.map((item, index) => paired(item, signatures[index]?.data ?? ''));
  return data.map((item) => {
    const signature = named.get(item.identifier);
    if (signature === undefined)
      throw rejected(`There is no signature with the identifier "${item.identifier?.slice(0, MAX_QUOTED)}".`);
    return paired(item, signature);
  });
}

/** Longest part of an identifier that a message quotes. */
const MAX_QUOTED = 60;

const paired = ({ data, identifier }: Item, signature: string): PairedItem => ({
  data,
  signature,
  ...(identifier === undefined ? {} : { identifier }),
});

/** Nothing, unless identifiers tell all items apart. */
function byIdentifier(items: readonly Item[]): ReadonlyMap<string | undefined, string> | undefined {
  const found = new Map(items.map(({ identifier, data }) => [identifier, data]));
  return found.size === items.length && !found.has(undefined) ? found : undefined;
}
