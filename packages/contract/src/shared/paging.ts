// List paging: members of requests and, alongside the items, of responses.
import { int32, int64 } from '../primitives.ts';
import { queryInt32 } from './query.ts';

/** Maximum page size defined by the interface. */
export const MAX_ITEMS_PER_PAGE = 1000;
export const DEFAULT_ITEMS_PER_PAGE = 10;

const itemsPerPage = int32().min(1).max(MAX_ITEMS_PER_PAGE).default(DEFAULT_ITEMS_PER_PAGE);

/** Request body members that select a page. Pages are numbered from 1. */
export const pageFields = { itemsPerPage, pageNumber: int32().min(1).default(1) };

/** Query parameters that select a page; the server reports values that are out of range. */
export const pageQuery = {
  itemsPerPage: queryInt32(int32().max(MAX_ITEMS_PER_PAGE)).default(DEFAULT_ITEMS_PER_PAGE),
  pageNumber: queryInt32().default(1),
};

/** Members of a response that contains one page of a list. */
export const pageTotals = { itemsPerPage: int32(), pageNumber: int32(), totalPages: int32(), totalItems: int64() };
