// Reads and changes the search parameters of a page.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { readListSearch, type ListSearch } from './list-search.ts';

export const useListSearch = (): ListSearch => readListSearch(useSearch({ strict: false }));

/** A member that is undefined is removed from the URL. */
export type SearchChange<Search> = { readonly [Key in keyof Search]?: Search[Key] | undefined };

/**
 * Changes the search parameters of a list, and returns to its first page unless the change names another. "Back" undoes
 * each change, except for typing, which would take one step per letter.
 */
export function useSearchChange<Search extends ListSearch = ListSearch>(): (change: SearchChange<Search>) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      // Each page declares its search parameters; this works for all of them.
      search: ((now: object) => ({ ...now, page: undefined, ...change })) as never,
      replace: Object.keys(change).join() === 'text',
      resetScroll: false,
    });
}

/** Replaces all search parameters of the page. */
export function useNewSearch<Search extends object>(): (search: Search, how?: { readonly replace: boolean }) => void {
  const navigate = useNavigate();
  return (search, { replace } = { replace: false }) =>
    // Each page declares its search parameters; this works for all of them.
    void navigate({ to: '.', search: search as never, replace, resetScroll: false });
}
