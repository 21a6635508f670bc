// Saved views of the key list: named sets of list settings from the URL, without the page number.
import type { SavedFilter, SavedSearch, SavedView } from '@signetry/contract';
import { readKeySearch, type KeySearch } from '../../queries/key-search.ts';

export const savedSearchOf = ({ text, filters, columns }: KeySearch): SavedSearch => ({
  ...(text === undefined ? {} : { text }),
  // Filter values can only have these types; the platform would reject any others.
  ...(filters === undefined ? {} : { filters: filters as SavedFilter[] }),
  ...(columns === undefined ? {} : { columns: [...columns] }),
});

/** Returns the search parameters of a view's URL. */
export const searchOfView = ({ uuid, search }: Pick<SavedView, 'uuid' | 'search'>): KeySearch =>
  readKeySearch({ ...search, view: uuid });

/** Returns whether the URL differs from the saved view. */
export const isViewChanged = (view: SavedView, search: KeySearch): boolean =>
  JSON.stringify(savedSearchOf(searchOfView(view))) !== JSON.stringify(savedSearchOf(search));
