// A page of a selection and how many certificates it has. Few certificates are all collected: that is quick by whatever
// is rare about them, and their number comes with it. Many are read in the order asked for until the page is full, and
// counted apart. Either way is slow for the other: a walk through a million for three, a collection of a million for
// ten.
import type { Executor } from '../../../platform/database/database.ts';
import { countedTotal } from './store-counted.ts';
import type { RememberedTotals } from './store-totals.ts';
import { sortTerms } from './sort-fields.ts';
import { collectKeys, findKeys, type SortedSelection, type Stretch } from './store.ts';

/** So many are collected within some tens of milliseconds. */
export const FEW = 20_000;

export interface FoundPage {
  readonly keys: readonly string[];
  /** Undefined where it has to be counted. */
  readonly total: number | undefined;
}

export interface FindPageParts {
  readonly totals: RememberedTotals;
  readonly few?: number;
}

export async function findPage(
  executor: Executor,
  query: SortedSelection,
  { offset, limit, totals, few = FEW }: Stretch & FindPageParts,
): Promise<FoundPage> {
  const counted = (await countedTotal(executor, query)) ?? (await totals.recall(executor, query));
  if (counted === undefined || counted <= few) {
    const collected = await collectKeys(executor, query, { offset, limit, most: few });
    if (collected) return collected;
  }
  const keys = isNearEnd(query, { offset, total: counted })
    ? await findFromEnd(executor, query, { offset, limit, total: counted ?? 0 })
    : await findKeys(executor, query, { offset, limit });
  return { keys, total: counted };
}

/** What has no value comes last in either direction, so such orders cannot be turned round. */
const isNearEnd = ({ sort }: SortedSelection, place: { readonly offset: number; readonly total: number | undefined }) =>
  place.total !== undefined && place.offset > place.total / 2 && sortTerms(sort).every(({ known }) => !known);

/** The end is the beginning of the order turned round. */
async function findFromEnd(
  executor: Executor,
  query: SortedSelection,
  { offset, limit, total }: Stretch & { readonly total: number },
): Promise<readonly string[]> {
  const size = Math.min(limit, total - offset);
  if (size <= 0) return [];
  const turned = query.sort.map(({ field, direction }) => ({ field, direction: TURNED[direction] }));
  const stretch = { offset: total - offset - size, limit: size };
  return (await findKeys(executor, { ...query, sort: turned }, stretch)).toReversed();
}

const TURNED = { asc: 'desc', desc: 'asc' } as const;
