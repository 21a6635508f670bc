import type { SavedView } from '@signetry/contract';
import { expect, it } from 'vitest';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { inState } from './filters.ts';
import { isViewChanged, savedSearchOf, searchOfView } from './views.ts';

const search: CertificateSearch = {
  text: 'shop',
  filters: [inState('issued')],
  sort: 'notAfter',
  direction: 'desc',
  columns: ['owner', 'state'],
  archived: true,
};
const view: SavedView = {
  uuid: '3e0f2d1c-0000-4000-8000-000000000001',
  resource: 'certificates',
  name: 'Shops',
  search: savedSearchOf(search),
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

it('a view is shown as saved, without its page number and page size', () => {
  expect(searchOfView(view)).toEqual({ ...search, view: view.uuid });
  expect(savedSearchOf({ ...search, page: 7, size: 100 })).toEqual(view.search);
  expect(searchOfView({ ...view, search: {} })).toEqual({ view: view.uuid });
});

it('a view counts as changed only if a value that it stores has changed', () => {
  const shown = searchOfView(view);
  expect(isViewChanged(view, { ...shown, page: 3 })).toBe(false);
  const { archived: _archived, ...withoutArchive } = shown;
  const others = [{ ...shown, text: 'mail' }, { ...shown, columns: ['state', 'owner'] }, withoutArchive];
  for (const other of others) expect(isViewChanged(view, other)).toBe(true);
});

it('a view saved by a newer console version shows the parts that this version supports', () => {
  const newer = { ...view, search: { sort: [{ field: 'colour', direction: 'asc' as const }], text: 'x' } };
  expect(searchOfView(newer)).toEqual({ text: 'x', direction: 'asc', view: view.uuid });
});
