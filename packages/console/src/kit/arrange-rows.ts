// Filters, sorts and pages the rows of a list. Pure.

export interface Arrangement<Row> {
  readonly text: string;
  readonly textOf: (row: Row) => string;
  /** Returns a row's sort key; absent to keep the original order. */
  readonly by: ((row: Row) => string | number) | undefined;
  readonly direction: 'asc' | 'desc';
}

/** Natural, case-insensitive sort order: `web2` before `web10`. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

export function arrangeRows<Row>(
  rows: readonly Row[],
  { text, textOf, by, direction }: Arrangement<Row>,
): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  const found = wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted));
  if (!by) return found;
  const sign = direction === 'asc' ? 1 : -1;
  return found.toSorted((a, b) => sign * compare(by(a), by(b)));
}

export interface PageOfRows<Row> {
  readonly shown: readonly Row[];
  readonly page: number;
  readonly pages: number;
}

/** Returns one page of rows. For a page number beyond the end, returns the last page. */
export function pageOf<Row>(
  rows: readonly Row[],
  { wanted = 1, size }: { readonly wanted: number | undefined; readonly size: number },
): PageOfRows<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(wanted, pages);
  return { shown: rows.slice((page - 1) * size, page * size), page, pages };
}
