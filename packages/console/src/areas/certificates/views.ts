// Saved views of the inventory: what the address says of a list, without page and size, under a name.
import type { SavedFilter, SavedSearch, SavedView } from '@signetry/contract';
import { readCertificateSearch, type CertificateSearch } from '../../queries/certificate-search.ts';
import { selectionOf } from '../../queries/certificates.ts';

export const savedSearchOf = (search: CertificateSearch): SavedSearch => {
  const { text, filters, sort, includeArchived } = selectionOf(search);
  return {
    ...(text === undefined ? {} : { text }),
    // Values of filters have no other forms; the platform refuses any.
    ...(filters === undefined ? {} : { filters: filters as SavedFilter[] }),
    ...(sort === undefined ? {} : { sort }),
    ...(search.columns === undefined ? {} : { columns: [...search.columns] }),
    ...(includeArchived === undefined ? {} : { includeArchived }),
  };
};

/** The address that shows a view. */
export const searchOfView = ({ uuid, search }: Pick<SavedView, 'uuid' | 'search'>): CertificateSearch => {
  const { sort: [first] = [], includeArchived, ...same } = search;
  return readCertificateSearch({
    ...same,
    ...(first ? { sort: first.field, direction: first.direction } : {}),
    archived: includeArchived,
    view: uuid,
  });
};

/** Whether the address shows something else than the view. */
export const isViewChanged = (view: SavedView, search: CertificateSearch): boolean =>
  JSON.stringify(savedSearchOf(searchOfView(view))) !== JSON.stringify(savedSearchOf(search));
