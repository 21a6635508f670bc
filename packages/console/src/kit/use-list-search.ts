// Reads and changes what the address of a page holds.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { readListSearch, type ListSearch } from './list-search.ts';

export const useListSearch = (): ListSearch => readListSearch(useSearch({ strict: false }));

/** A member that is undefined is taken out of the address. */
export type SearchChange<Search> = { readonly [Key in keyof Search]?: Search[Key] | undefined };

/**
 * Changes what the address of a list holds. Whatever changes which rows there are leads to the first page. Each change
 * is a step that "back" undoes, but for the letters of a text.
 */
export function useSearchChange<Search extends ListSearch = ListSearch>(): (change: SearchChange<Search>) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      // The page says what its address holds.
      search: ((now: object) => ({ ...now, page: undefined, ...change })) as never,
      replace: Object.keys(change).join() === 'text',
      resetScroll: false,
    });
}

/** Puts a whole new search into the address of the page that is shown. */
export function useNewSearch<Search extends object>(): (search: Search, how?: { readonly replace: boolean }) => void {
  const navigate = useNavigate();
  return (search, { replace } = { replace: false }) =>
    // The page says what its address holds.
    void navigate({ to: '.', search: search as never, replace, resetScroll: false });
}
