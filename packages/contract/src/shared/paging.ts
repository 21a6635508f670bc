// Paging of lists: what is asked for and what is answered beside the items.
import { int32, int64 } from '../primitives.ts';

/** Bound of the interface. */
export const MAX_ITEMS_PER_PAGE = 1000;
export const DEFAULT_ITEMS_PER_PAGE = 10;

const itemsPerPage = int32().min(1).max(MAX_ITEMS_PER_PAGE).default(DEFAULT_ITEMS_PER_PAGE);

/** Members of a request body that ask for a page; the first page is 1. */
export const pageFields = { itemsPerPage, pageNumber: int32().min(1).default(1) };

/** Members of an answer that holds a page. */
export const pageTotals = { itemsPerPage: int32(), pageNumber: int32(), totalPages: int32(), totalItems: int64() };
