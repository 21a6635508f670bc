// Search parameters for a list: text, sort order and page. The back button, reloads and links restore the same rows.

export interface ListSearch {
  readonly text?: string;
  /** Column key. */
  readonly sort?: string;
  readonly direction?: 'asc' | 'desc';
  /** Absent for the first page. */
  readonly page?: number;
}

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readListSearch({ text, sort, direction, page }: Record<string, unknown>): ListSearch {
  return {
    ...readText(text),
    ...(typeof sort === 'string' ? { sort } : {}),
    ...(direction === 'asc' || direction === 'desc' ? { direction } : {}),
    ...readPage(page),
  };
}

/**
 * Reads the search text. The router parses digits as a number, but they can be a search text, such as a serial number.
 */
export function readText(text: unknown): { readonly text?: string } {
  const read = typeof text === 'number' ? String(text) : text;
  return typeof read === 'string' && read !== '' ? { text: read } : {};
}

/** Keys of the selected columns. */
export const readColumns = (columns: unknown): { readonly columns?: readonly string[] } =>
  Array.isArray(columns) ? { columns: columns.filter((each) => typeof each === 'string') } : {};

export const readPage = (page: unknown): { readonly page?: number } =>
  typeof page === 'number' && page >= 2 ? { page: Math.trunc(page) } : {};
