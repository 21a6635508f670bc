// Saved views of the inventory: named sets of list settings from the URL, without the page number or page size.
import type { SavedFilter, SavedSearch, SavedView } from '@signetry/contract';
import { readCertificateSearch, type CertificateSearch } from '../../queries/certificate-search.ts';
import { selectionOf } from '../../queries/certificates.ts';

export const savedSearchOf = (search: CertificateSearch): SavedSearch => {
  const { text, filters, sort, includeArchived } = selectionOf(search);
  return {
    ...(text === undefined ? {} : { text }),
    // Filter values can only have these types; the platform would reject any others.
    ...(filters === undefined ? {} : { filters: filters as SavedFilter[] }),
    ...(sort === undefined ? {} : { sort }),
    ...(search.columns === undefined ? {} : { columns: [...search.columns] }),
    ...(includeArchived === undefined ? {} : { includeArchived }),
  };
};

/** Returns the search parameters of a view's URL. */
export const searchOfView = ({ uuid, search }: Pick<SavedView, 'uuid' | 'search'>): CertificateSearch => {
  const { sort: [first] = [], includeArchived, ...same } = search;
  return readCertificateSearch({
    ...same,
    ...(first ? { sort: first.field, direction: first.direction } : {}),
    archived: includeArchived,
    view: uuid,
  });
};

/** Returns whether the URL differs from the saved view. */
export const isViewChanged = (view: SavedView, search: CertificateSearch): boolean =>
  JSON.stringify(savedSearchOf(searchOfView(view))) !== JSON.stringify(savedSearchOf(search));
