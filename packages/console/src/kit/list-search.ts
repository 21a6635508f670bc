// The search parameters of a list: text, sort and page. "Back", a reload or a link shows the same rows.

export interface ListSearch {
  readonly text?: string;
  /** Key of the column. */
  readonly sort?: string;
  readonly direction?: 'asc' | 'desc';
  /** Absent: the first. */
  readonly page?: number;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export function readListSearch({ text, sort, direction, page }: Record<string, unknown>): ListSearch {
  return {
    ...readText(text),
    ...(typeof sort === 'string' ? { sort } : {}),
    ...(direction === 'asc' || direction === 'desc' ? { direction } : {}),
    ...readPage(page),
  };
}

/** The router reads digits as a number; they may be a text to search for, such as a serial number. */
export function readText(text: unknown): { readonly text?: string } {
  const read = typeof text === 'number' ? String(text) : text;
  return typeof read === 'string' && read !== '' ? { text: read } : {};
}

/** Keys of the columns that were chosen. */
export const readColumns = (columns: unknown): { readonly columns?: readonly string[] } =>
  Array.isArray(columns) ? { columns: columns.filter((each) => typeof each === 'string') } : {};

export const readPage = (page: unknown): { readonly page?: number } =>
  typeof page === 'number' && page >= 2 ? { page: Math.trunc(page) } : {};
