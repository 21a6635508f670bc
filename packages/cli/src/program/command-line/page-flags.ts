// Flags of commands that list results page by page.
import { MAX_ITEMS_PER_PAGE } from '@signetry/contract';
import type { FlagValues } from './command.ts';
import { parseWholeNumber } from './flag-values.ts';

export const pageFlags = {
  page: { value: 'NUMBER', initial: '1', about: 'Page number' },
  'page-size': { value: 'NUMBER', initial: '50', about: 'Results per page' },
} as const;

const MAX_PAGE = 999_999_999;

export const pageOf = ({ page, 'page-size': size }: FlagValues<typeof pageFlags>) => ({
  pageNumber: parseWholeNumber('--page', { text: page, min: 1, max: MAX_PAGE }),
  itemsPerPage: parseWholeNumber('--page-size', { text: size, min: 1, max: MAX_ITEMS_PER_PAGE }),
});
