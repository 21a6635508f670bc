// The search parameters of the page of a discovery. A link or "back" shows the same.
import { readPage } from '../kit/list-search.ts';

/** What the page of a discovery lists: what was found, or refused, or what differs from another one. */
export const discoveryViews = ['found', 'new', 'known', 'refused', 'difference'] as const;
export type DiscoveryView = (typeof discoveryViews)[number];

export const differenceChanges = ['new', 'gone', 'changed'] as const;
export type DifferenceChange = (typeof differenceChanges)[number];

export interface FoundSearch {
  /** Absent: all that was found. */
  readonly view?: DiscoveryView;
  /** Of a difference; absent: all of them. */
  readonly change?: DifferenceChange;
  /** The discovery to compare with; absent: the one before. */
  readonly with?: string;
  readonly page?: number;
}

export const readFoundSearch = (given: Record<string, unknown>): FoundSearch => ({
  ...oneOf('view', discoveryViews, given),
  ...oneOf('change', differenceChanges, given),
  ...(typeof given['with'] === 'string' && { with: given['with'] }),
  ...readPage(given['page']),
});

function oneOf<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  given: Record<string, unknown>,
): { readonly [Key in Name]?: Value } {
  const found = values.find((value) => value === given[name]);
  return (found === undefined ? {} : { [name]: found }) as { readonly [Key in Name]?: Value }; // a computed key
}
