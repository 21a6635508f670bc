// Paging of lists, with page numbers as in the API (the first page is 1).
import { MAX_ITEMS_PER_PAGE } from '@signetry/contract';
import { AppError } from './errors.ts';

export interface PageRequest {
  readonly itemsPerPage: number;
  readonly pageNumber: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalItems: number;
}

/** Reads the requested page; rejects pages that the API does not allow. */
export function readPage({ itemsPerPage, pageNumber }: PageRequest): PageRequest {
  const problems: string[] = [];
  if (itemsPerPage < 1 || itemsPerPage > MAX_ITEMS_PER_PAGE)
    problems.push(`itemsPerPage: must be between 1 and ${MAX_ITEMS_PER_PAGE}`);
  if (pageNumber < 1) problems.push('pageNumber: must be 1 or greater');
  if (problems.length > 0) throw new AppError('invalid_fields', { problems });
  return { itemsPerPage, pageNumber };
}

export const pageOffset = (page: PageRequest): number => (page.pageNumber - 1) * page.itemsPerPage;

/** Returns the paging members that every paged response contains. */
export const pageFacts = (page: PageRequest, totalItems: number) => ({
  itemsPerPage: page.itemsPerPage,
  pageNumber: page.pageNumber,
  totalItems,
  totalPages: Math.ceil(totalItems / page.itemsPerPage),
});
