// Paging of lists: numbers as the interface counts them (first page is 1).

export interface PageRequest {
  readonly itemsPerPage: number;
  readonly pageNumber: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalItems: number;
}

export const pageOffset = (page: PageRequest): number => (page.pageNumber - 1) * page.itemsPerPage;

/** The paging members that every paged answer carries. */
export const pageFacts = (page: PageRequest, totalItems: number) => ({
  itemsPerPage: page.itemsPerPage,
  pageNumber: page.pageNumber,
  totalItems,
  totalPages: Math.ceil(totalItems / page.itemsPerPage),
});
