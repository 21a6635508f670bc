// Saved views of the list of keys: what the address says of it, without the page, under a name.
import type { SavedFilter, SavedSearch, SavedView } from '@signetry/contract';
import { readKeySearch, type KeySearch } from '../../queries/key-search.ts';

export const savedSearchOf = ({ text, filters, columns }: KeySearch): SavedSearch => ({
  ...(text === undefined ? {} : { text }),
  // Values of filters have no other forms; the platform refuses any.
  ...(filters === undefined ? {} : { filters: filters as SavedFilter[] }),
  ...(columns === undefined ? {} : { columns: [...columns] }),
});

/** The address that shows a view. */
export const searchOfView = ({ uuid, search }: Pick<SavedView, 'uuid' | 'search'>): KeySearch =>
  readKeySearch({ ...search, view: uuid });

/** Whether the address shows something else than the view. */
export const isViewChanged = (view: SavedView, search: KeySearch): boolean =>
  JSON.stringify(savedSearchOf(searchOfView(view))) !== JSON.stringify(savedSearchOf(search));
