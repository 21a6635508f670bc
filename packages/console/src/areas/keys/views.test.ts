import type { SavedView } from '@signetry/contract';
import { expect, it } from 'vitest';
import { keyFilter, type KeySearch } from '../../queries/key-search.ts';
import { isViewChanged, savedSearchOf, searchOfView } from './views.ts';

const search: KeySearch = {
  text: 'ca',
  filters: [keyFilter('CKI_STATE', ['active'])],
  columns: ['state', 'created'],
};
const view: SavedView = {
  uuid: '3e0f2d1c-0000-4000-8000-000000000001',
  resource: 'keys',
  name: 'CAs',
  search: savedSearchOf(search),
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

it('a key view is shown as saved, and counts as changed by any difference except the page number', () => {
  const shown = searchOfView(view);
  expect(shown).toEqual({ ...search, view: view.uuid });
  expect(isViewChanged(view, { ...shown, page: 3 })).toBe(false);
  expect(isViewChanged(view, { ...shown, text: 'tsa' })).toBe(true);
  expect(isViewChanged(view, { ...shown, columns: ['created', 'state'] })).toBe(true);
});
