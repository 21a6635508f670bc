// Pairs the data and signatures of a verification call.
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

/** Pairs by identifier if every item has a unique one, otherwise by position. Rejects (422) if they do not match. */
export function pairSignatures(data: readonly Item[], signatures: readonly Item[]): PairedItem[] {
  if (data.length !== signatures.length)
    throw rejected(`The numbers of data items (${data.length}) and signatures (${signatures.length}) must be equal.`);
  const named = indexByIdentifier(signatures);
  // Both lists have the same length.
  if (!named || !indexByIdentifier(data))
    return data.map((item, index) => toPairedItem(item, signatures[index]?.data ?? ''));
  return data.map((item) => {
    const signature = named.get(item.identifier);
    if (signature === undefined)
      throw rejected(`No signature has the identifier "${item.identifier?.slice(0, MAX_QUOTED)}".`);
    return toPairedItem(item, signature);
  });
}

/** Maximum length of a quoted identifier in a message. */
const MAX_QUOTED = 60;

const toPairedItem = ({ data, identifier }: Item, signature: string): PairedItem => ({
  data,
  signature,
  ...(identifier === undefined ? {} : { identifier }),
});

/** Returns undefined unless every item has a unique identifier. */
function indexByIdentifier(items: readonly Item[]): ReadonlyMap<string | undefined, string> | undefined {
  const found = new Map(items.map(({ identifier, data }) => [identifier, data]));
  return found.size === items.length && !found.has(undefined) ? found : undefined;
}
