// Finds a page of a selection and its total. A small selection is collected completely, which is fast for any selective
// condition and also yields the total. A large one is scanned in sort order until the page is full, and counted
// separately. Each strategy is slow where the other is fast: scanning a million rows to find three, or sorting a
// million to return ten.
import type { Executor } from '../../../platform/database/database.ts';
import { rejectShortTexts } from './short-texts.ts';
import { isOfSearchedNames } from './store-texts.ts';
import { countedTotal, isForMember } from './store-counted.ts';
import type { RememberedTotals } from './store-totals.ts';
import { sortTerms, type SortPosition } from './sort-fields.ts';
import { findOrdered } from './store-ordered.ts';
import { collectPositions, findPositions, type SortedSelection, type PageRange } from './store-order.ts';

/** Number of certificates that can be collected within a few tens of milliseconds. */
export const FEW = 20_000;

export interface PageResult {
  readonly places: readonly SortPosition[];
  /** Undefined if the certificates still have to be counted. */
  readonly total: number | undefined;
}

export interface FindPageParts {
  readonly totals: RememberedTotals;
  readonly few?: number;
}

export async function findPage(
  executor: Executor,
  query: SortedSelection,
  { totals, few = FEW, ...stretch }: PageRange & FindPageParts,
): Promise<PageResult> {
  await rejectShortTexts(executor, query);
  const counted =
    (await countedTotal(executor, query)) ??
    (await totals.recall(executor, query)) ??
    // Counting such selections is faster than collecting certificates up to the limit.
    (isOfSearchedNames(query) || isForMember(query) ? await totals.count(executor, query) : undefined);
  const ordered = counted === undefined ? undefined : await findOrdered(executor, query, stretch);
  if (ordered) return { places: ordered, total: counted };
  if (counted === undefined || counted <= few) {
    const collected = await collectPositions(executor, query, { ...stretch, most: few });
    if (collected) return collected;
  }
  const places = isNearEnd(query, { offset: stretch.offset, total: counted })
    ? await findFromEnd(executor, query, { ...stretch, total: counted ?? 0 })
    : await findPositions(executor, query, { ...stretch, expected: 'page' });
  return { places, total: counted };
}

/** Finds the page after a position when the total is known from the first page. */
export async function continuePage(
  executor: Executor,
  query: SortedSelection,
  { total, few = FEW, ...stretch }: PageRange & { readonly total: number; readonly few?: number },
): Promise<readonly SortPosition[]> {
  const collected = total <= few ? await collectPositions(executor, query, { ...stretch, most: few }) : undefined;
  return collected?.places ?? findPositions(executor, query, { ...stretch, expected: 'page' });
}

/** Rows without a value come last in both directions, so such orders cannot be reversed. */
const isNearEnd = ({ sort }: SortedSelection, place: { readonly offset: number; readonly total: number | undefined }) =>
  place.total !== undefined && place.offset > place.total / 2 && sortTerms(sort).every(({ known }) => !known);

/** Reads the last pages from the start of the reversed order. */
async function findFromEnd(
  executor: Executor,
  query: SortedSelection,
  { offset, limit, total }: PageRange & { readonly total: number },
): Promise<readonly SortPosition[]> {
  const size = Math.min(limit, total - offset);
  if (size <= 0) return [];
  const turned = query.sort.map(({ field, direction }) => ({ field, direction: TURNED[direction] }));
  const stretch = { offset: total - offset - size, limit: size, expected: 'page' as const };
  return (await findPositions(executor, { ...query, sort: turned }, stretch)).toReversed();
}

const TURNED = { asc: 'desc', desc: 'asc' } as const;
