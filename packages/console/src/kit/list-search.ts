// What the address of a list holds: text, sort and page, so that "back", a reload or a link shows the same rows.

export interface ListSearch {
  readonly text?: string;
  /** Key of the column. */
  readonly sort?: string;
  readonly direction?: 'asc' | 'desc';
  /** Absent: the first. */
  readonly page?: number;
}

/** Addresses come from anywhere; what cannot be read is left out. */
export function readListSearch({ text, sort, direction, page }: Record<string, unknown>): ListSearch {
  return {
    ...readText(text),
    ...(typeof sort === 'string' ? { sort } : {}),
    ...(direction === 'asc' || direction === 'desc' ? { direction } : {}),
    ...readPage(page),
  };
}

/** A number in an address is text that somebody looks for, such as a serial number. */
export function readText(text: unknown): { readonly text?: string } {
  const read = typeof text === 'number' ? String(text) : text;
  return typeof read === 'string' && read !== '' ? { text: read } : {};
}

export const readPage = (page: unknown): { readonly page?: number } =>
  typeof page === 'number' && page >= 2 ? { page: Math.trunc(page) } : {};
