// Hooks that change a page's search parameters.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { readListSearch, type ListSearch } from './list-search.ts';

export const useListSearch = (): ListSearch => readListSearch(useSearch({ strict: false }));

/** Changes to search parameters. Undefined members are removed from the URL. */
export type SearchChange<Search> = { readonly [Key in keyof Search]?: Search[Key] | undefined };

/**
 * Returns a function that changes a list's search parameters and returns to the first page unless the change specifies
 * a page. The back button undoes each change, except for typing, which would add a history entry per letter.
 */
export function useSearchChange<Search extends ListSearch = ListSearch>(): (change: SearchChange<Search>) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      // The parameters are typed per page, but this code is generic, hence the cast.
      search: ((now: object) => ({ ...now, page: undefined, ...change })) as never,
      replace: Object.keys(change).join() === 'text',
      resetScroll: false,
    });
}

/** Returns a function that replaces all of the page's search parameters. */
export function useNewSearch<Search extends object>(): (search: Search, how?: { readonly replace: boolean }) => void {
  const navigate = useNavigate();
  return (search, { replace } = { replace: false }) =>
    // The parameters are typed per page, but this code is generic, hence the cast.
    void navigate({ to: '.', search: search as never, replace, resetScroll: false });
}
