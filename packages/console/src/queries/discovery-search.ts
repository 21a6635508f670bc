// Search parameters for a discovery page. Links and the back button restore the same view.
import { readPage } from '../kit/list-search.ts';

/** Lists on a discovery page: certificates found, certificates rejected, or differences from a different discovery. */
export const discoveryViews = ['found', 'new', 'known', 'refused', 'difference'] as const;
export type DiscoveryView = (typeof discoveryViews)[number];

export const differenceChanges = ['new', 'gone', 'changed'] as const;
export type DifferenceChange = (typeof differenceChanges)[number];

export interface FoundSearch {
  /** Absent for all certificates found. */
  readonly view?: DiscoveryView;
  /** Kind of difference; absent for all. */
  readonly change?: DifferenceChange;
  /** The discovery to compare with. If absent, the previous one is used. */
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
  // TypeScript does not infer computed keys, hence the cast.
  return (found === undefined ? {} : { [name]: found }) as { readonly [Key in Name]?: Value };
}
