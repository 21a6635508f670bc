// Hooks that change the search parameters of a page.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { readListSearch, type ListSearch } from './list-search.ts';

export const useListSearch = (): ListSearch => readListSearch(useSearch({ strict: false }));

/** Changes to search parameters. Undefined members are removed from the URL. */
export type SearchChange<Search> = { readonly [Key in keyof Search]?: Search[Key] | undefined };

/**
 * Returns a function that changes the search parameters of a list and resets it to the first page unless the change
 * sets one. The back button undoes each change, except for typing, which would add a history entry per letter.
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

/** Returns a function that replaces all search parameters of the page. */
export function useNewSearch<Search extends object>(): (search: Search, how?: { readonly replace: boolean }) => void {
  const navigate = useNavigate();
  return (search, { replace } = { replace: false }) =>
    // The parameters are typed per page, but this code is generic, hence the cast.
    void navigate({ to: '.', search: search as never, replace, resetScroll: false });
}
